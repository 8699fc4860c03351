/**
 * Asked after each wrong answer, "How did you get 12?" is soon passed over. So it is asked once in a
 * page. The page keeps what it was asked about, for each widget has modules of its own.
 */

/** Is this the first answer here that is asked about? It stays so when it is shown again. */
export function firstHere(answer: string): boolean {
  const kept = document.documentElement.dataset;
  kept.mgAskedHow ??= answer;
  return kept.mgAskedHow === answer;
}
