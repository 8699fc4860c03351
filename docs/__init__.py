"""What is written about minigrad, and the scripts that write the parts that can be computed."""
