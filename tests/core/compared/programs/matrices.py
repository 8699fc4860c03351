"""Programs about products of matrices, einsum, and linear algebra."""

from __future__ import annotations

EXPRESSIONS = """
# products of all ranks
torch.arange(3) @ torch.arange(3)
torch.arange(6).reshape(2, 3) @ torch.arange(3)
torch.arange(3) @ torch.arange(6).reshape(3, 2)
torch.arange(6.0).reshape(2, 3) @ torch.arange(6.0).reshape(3, 2)
(torch.ones(5, 1, 2, 3) @ torch.ones(4, 3, 2)).shape
(torch.ones(3) @ torch.ones(4, 3, 2)).shape
(torch.ones(4, 2, 3) @ torch.ones(3)).shape
(torch.ones(2, 3) @ torch.ones(4, 3, 2)).shape
torch.ones(0, 3) @ torch.ones(3, 2)
torch.ones(2, 0) @ torch.ones(0, 3)
(torch.ones(2, 0, 3) @ torch.ones(3, 4)).shape
torch.ones(2, 3).matmul(torch.ones(3))
torch.mm(torch.eye(2), t([[1.0, 2.0], [3.0, 4.0]]))
torch.bmm(torch.ones(2, 1, 3), torch.ones(2, 3, 2))
torch.mv(t([[1.0, 2.0], [3.0, 4.0]]), t([1.0, 10.0]))
torch.dot(t([1, 2, 3]), t([4, 5, 6]))
torch.vdot(t([1.0, 2.0]), t([3.0, 4.0]))
torch.outer(t([1, 2]), t([3, 4, 5]))
torch.outer(t([1, 2]), t([0.5]))
torch.ger(t([1.0]), t([2.0]))
t([1.0, 2.0]).outer(t([3.0]))
torch.addmm(t([1.0, 2.0]), torch.eye(2), torch.eye(2))
torch.addmm(torch.ones(2, 2), torch.eye(2), torch.eye(2), beta=2, alpha=3)
torch.trace(t([[1, 2, 3], [4, 5, 6]]))
torch.trace(t([[1.5, 2.0], [4.0, 5.0]]))
torch.trace(t([[1, 2], [4, 5]], dtype=torch.int32))
torch.matrix_power(t([[1, 1], [0, 1]]), 10)
torch.matrix_power(t([[1.0, 1.0], [0.0, 1.0]]), 0)
torch.matrix_power(t([[2.0, 0.0], [0.0, 4.0]]), -2)
torch.linalg.matmul(torch.eye(2), torch.ones(2, 2))
torch.nn.functional.linear(t([1.0, 2.0]), t([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), torch.ones(3))
torch.nn.functional.linear(t([[1, 2]]), t([[1, 2], [3, 4]]))
torch.nn.functional.linear(torch.ones(2, 2, 3), torch.ones(1, 3), t([1.0])).shape
torch.nn.functional.linear(torch.ones(2, 3), torch.ones(2, 3, requires_grad=True), torch.ones(2))
torch.nn.functional.linear(torch.ones(2, 2, 3), torch.ones(2, 3, requires_grad=True), torch.ones(2))
torch.nn.functional.linear(torch.ones(2, 3), torch.ones(2, 3, requires_grad=True))
torch.nn.functional.linear(torch.ones(2, 3), torch.ones(3))
torch.ones(2, requires_grad=True) @ torch.ones(2, 3)
torch.ones(2) @ torch.ones(2, 3, requires_grad=True)
torch.ones(2, requires_grad=True) @ torch.ones(4, 2, 3)
torch.ones(4, 2, 3, requires_grad=True) @ torch.ones(3)
torch.ones(0) @ torch.ones(0, 3)
# products that make no sense
torch.ones(2) @ torch.ones(3, 2)
torch.ones(2) @ torch.ones(2, 3, dtype=torch.float64)
torch.ones(2, dtype=torch.bool) @ torch.ones(2, 2, dtype=torch.bool)
torch.mm(torch.ones(2, 3), torch.ones(2, 3))
torch.mm(torch.ones(3), torch.ones(3, 2))
torch.mm(torch.ones(2, 3), torch.ones(3))
torch.bmm(torch.ones(2, 3), torch.ones(2, 3, 2))
torch.bmm(torch.ones(1, 2, 3), torch.ones(2, 3))
torch.bmm(torch.ones(2, 2, 3), torch.ones(3, 3, 2))
torch.mv(torch.ones(2, 3), torch.ones(2))
torch.mv(torch.ones(3), torch.ones(3))
torch.dot(torch.ones(3), torch.ones(3, dtype=torch.float64))
torch.dot(torch.ones(1, 3), torch.ones(3))
torch.outer(torch.ones(2, 1), torch.ones(3))
torch.outer(torch.ones(2), torch.ones(3, 1))
torch.trace(torch.ones(3))
torch.addmm(torch.ones(3), torch.ones(2, 3), torch.ones(2, 3))
torch.addmm(torch.ones(2, dtype=torch.float64), torch.ones(2, 3), torch.ones(3, 2))
torch.addmm(torch.ones(2), torch.ones(2, 3, dtype=torch.float64), torch.ones(3, 2))
torch.mv(torch.ones(2, 3), torch.ones(3, dtype=torch.float64))
torch.ones(3) @ torch.ones(3, dtype=torch.int64)
torch.ones(2, 3) @ torch.ones(3, dtype=torch.int64)
torch.ones(3) @ torch.ones(2, 3, 1, dtype=torch.float64)
torch.ones(2, 2, 3, dtype=torch.float64) @ torch.ones(3, 2)
F.linear(torch.ones(2, 3), torch.ones(2, 3), torch.ones(2, dtype=torch.float64))
F.linear(torch.ones(2, 3), torch.ones(2, 3, dtype=torch.float64), torch.ones(2))
F.linear(torch.ones(2, 3), torch.ones(2, 3), [1.0, 2.0])
F.linear(torch.ones(2, 3), torch.ones(2, 3), np.ones(2))
torch.ones(2, 2, 3) @ torch.ones(2, 2, 3)
torch.ones(2, 2, 3) @ torch.ones(2, 3, 2, dtype=torch.float64)
torch.ones(2, 2, 3) @ torch.ones(4, 2)
torch.ones(2, 2, 3) @ torch.ones(2)
torch.ones(2, 2, dtype=torch.bool) @ torch.ones(2, 2, dtype=torch.bool)
torch.matmul(torch.ones(2), 3)
torch.mm(torch.ones(2, 2), [[1.0]])
torch.matrix_power(torch.ones(2, 3), 2)
torch.matrix_power(torch.ones(2), 2)
torch.nn.functional.linear(torch.ones(2, 3), torch.ones(4, 2), torch.ones(4))
torch.nn.functional.linear(torch.ones(2, 3), torch.ones(4, 3), torch.ones(5))
torch.nn.functional.linear(torch.ones(2, 3), torch.ones(3), torch.ones(1))
torch.nn.functional.linear(t([[1, 2, 3]]), torch.ones(4, 3))
# einsum
torch.einsum("ij,jk->ik", torch.arange(6).reshape(2, 3), torch.arange(6).reshape(3, 2))
torch.einsum("ij,jk", torch.arange(6).reshape(2, 3), torch.arange(6).reshape(3, 2))
torch.einsum("ba", torch.arange(6).reshape(2, 3))
torch.einsum("Ba", torch.arange(6).reshape(2, 3))
torch.einsum("ij->", torch.arange(6).reshape(2, 3))
torch.einsum("ii", torch.arange(9).reshape(3, 3))
torch.einsum("ii->i", torch.arange(9).reshape(3, 3))
torch.einsum("i,i", t([1, 2, 3]), t([4, 5, 6]))
torch.einsum("i,j->ij", t([1, 2, 3]), t([4, 5]))
torch.einsum("bij,bjk->bik", torch.ones(5, 2, 3), torch.ones(5, 3, 4)).shape
torch.einsum("bqhd,bkhd->bhqk", torch.ones(2, 5, 4, 3), torch.ones(2, 6, 4, 3)).shape
torch.einsum("...ij,...jk->...ik", torch.ones(5, 1, 2, 3), torch.ones(4, 3, 2)).shape
torch.einsum("...", t([1, 2]))
torch.einsum("...i->i", torch.arange(6).reshape(2, 3))
torch.einsum("i...->...i", torch.ones(2, 3, 4)).shape
torch.einsum(" i j , j -> i ", torch.ones(2, 3), torch.ones(3))
torch.einsum("ij,jk,kl->il", torch.ones(2, 3), torch.ones(3, 4), torch.ones(4, 5))
torch.einsum("ij,ij->ij", torch.arange(4).reshape(2, 2), torch.arange(4).reshape(2, 2))
torch.einsum(",", t(2.0), t(3.0))
torch.einsum("i,->i", t([1.0, 2.0]), t(3.0))
torch.einsum("ij,kj->ik", torch.ones(2, 3), torch.ones(2, 1))
torch.einsum("ij,jk->ik", [torch.ones(2, 3), torch.ones(3, 2)])
torch.einsum("ij,jk->ik", torch.ones(2, 0), torch.ones(0, 2))
torch.einsum("ij,jk->ik", torch.ones(2, 3, requires_grad=True), torch.ones(3, 2))
torch.einsum("ij->ji", torch.ones(2, 3, requires_grad=True))
torch.einsum("i,j->ij", torch.ones(2, requires_grad=True), torch.ones(2))
torch.einsum("ij->", torch.ones(2, 3, requires_grad=True))
torch.einsum("ij,jk", torch.ones(2, 3), torch.ones(2, 2))
torch.einsum("ijk", torch.ones(2, 3))
torch.einsum("i", torch.ones(2, 3))
torch.einsum("ij->ik", torch.ones(2, 3))
torch.einsum("ij->ii", torch.ones(2, 3))
torch.einsum("ii", torch.ones(2, 3))
torch.einsum("ij,jk", torch.ones(2, 3))
torch.einsum("ij", torch.ones(2, 3), torch.ones(2, 3))
torch.einsum("i1", torch.ones(2, 3))
torch.einsum("i.j", torch.ones(2, 3))
torch.einsum("")
torch.einsum("i", [1.0])
# inverses and equations
torch.linalg.inv(t([[2.0, 1.0], [0.0, 4.0]]))
torch.inverse(t([[2.0]]))
torch.linalg.inv(torch.eye(2, dtype=torch.float64).expand(3, 2, 2))
torch.linalg.inv(torch.ones(0, 0))
torch.eye(2, requires_grad=True).inverse()
torch.linalg.inv(torch.ones(2, 2))
torch.linalg.inv(torch.zeros(2, 2))
issubclass(torch.linalg.LinAlgError, RuntimeError)
torch.linalg.inv(torch.ones(2, 3))
torch.linalg.inv(torch.ones(3))
torch.linalg.inv(t([[1, 2], [3, 4]]))
torch.linalg.inv([[1.0]])
torch.linalg.solve(t([[2.0, 1.0], [0.0, 4.0]]), t([4.0, 8.0]))
torch.linalg.solve(t([[2.0, 1.0], [0.0, 4.0]]), t([[4.0, 1.0], [8.0, 0.0]]))
torch.linalg.solve(2 * torch.eye(2).expand(3, 2, 2), torch.ones(3, 2))
torch.linalg.solve(2 * torch.eye(2).expand(3, 2, 2), torch.ones(2, 1)).shape
torch.linalg.solve(t([[2.0, 1.0], [0.0, 4.0]]), t([[4.0, 8.0]]), left=False)
torch.linalg.solve(torch.ones(2, 2), torch.ones(2))
torch.linalg.solve(torch.eye(2), torch.ones(3))
torch.linalg.solve(torch.ones(2, 3), torch.ones(2))
torch.linalg.solve(torch.eye(2), torch.ones(2, dtype=torch.float64))
# determinants
torch.det(t([[1.0, 2.0], [3.0, 4.0]]))
torch.linalg.det(torch.eye(3).expand(2, 3, 3))
torch.det(torch.ones(0, 0))
torch.det(torch.zeros(2, 2))
torch.det(torch.ones(2, 3))
torch.det(t([[1, 2], [3, 4]]))
torch.linalg.slogdet(t([[0.0, 1.0], [1.0, 0.0]]))
torch.slogdet(torch.zeros(2, 2))[1]
# norms
torch.linalg.norm(t([3.0, 4.0]))
torch.linalg.norm(t([[3.0, 0.0], [0.0, 4.0]]))
torch.linalg.norm(t([3.0, -4.0]), 1)
torch.linalg.norm(t([3.0, -4.0]), inf)
torch.linalg.norm(t([3.0, 0.0]), 0)
torch.linalg.norm(torch.ones(2, 3, 4), dim=-1).shape
torch.linalg.norm(torch.ones(2, 3, 4))
torch.linalg.norm(t([3.0, 4.0]), dtype=torch.float64)
torch.linalg.vector_norm(torch.ones(2, 3), 1, dim=1, keepdim=True)
torch.linalg.norm(torch.ones(4, 2, 3), 'fro', (-2, -1))
torch.linalg.norm(torch.ones(2, 2), 3)
torch.linalg.norm(torch.ones(2), "fro")
torch.linalg.norm(torch.ones(2, 3, 4), 1)
torch.linalg.norm(torch.ones(2, 3, 4), dim=(0, 1, 2))
torch.linalg.norm(t([1, 2]))
"""


def slopes(torch, function, *lists):
    tensors = [torch.tensor(values, requires_grad=True) for values in lists]
    function(*tensors).sum().backward()
    return [tensor.grad for tensor in tensors]


def a_determinant_has_a_gradient_where_it_is_zero(torch):
    singular = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [5.0, 7.0, 9.0]]
    return slopes(torch, torch.det, singular)


def the_gradient_of_a_determinant_of_rank_below_n_minus_1_is_zero(torch):
    (slope,) = slopes(torch, torch.linalg.det, [[1.0, 1.0, 1.0]] * 3)
    return slope.abs().max().item() < 1e-6


def a_determinant_has_a_second_derivative_where_it_is_next_to_zero(torch):
    rows = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [5.0, 7.0, 9.0]]
    x = torch.tensor(rows, requires_grad=True)
    (slope,) = torch.autograd.grad(torch.det(x), x, create_graph=True)
    return torch.autograd.grad(slope[0, 0] + slope[1, 2], x)[0].round().long()


def the_third_derivative_of_a_determinant(torch):
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [5.0, 8.0, 8.0]], requires_grad=True)
    slope = torch.det(x)
    for place in ((0, 0), (1, 1), (2, 2)):
        (slope,) = torch.autograd.grad(slope, x, create_graph=True)
        slope = slope[place] + slope.sum()
    return slope


def least_squares_by_the_normal_equations(torch):
    x = torch.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    y = torch.tensor([1.0, 3.0, 5.0])
    return torch.linalg.solve(x.T @ x, x.T @ y)


def gradients_of_a_solution(torch):
    return slopes(torch, torch.linalg.solve, [[2.0, 1.0], [0.0, 4.0]], [4.0, 8.0])


def attention_by_einsum_and_by_matmul(torch):
    q, k = torch.arange(12.0).reshape(1, 3, 2, 2) / 10, torch.ones(1, 3, 2, 2)
    q.requires_grad_()
    by_name = torch.einsum("bqhd,bkhd->bhqk", q, k)
    by_hand = q.transpose(1, 2) @ k.permute(0, 2, 3, 1)
    (by_name * by_hand).sum().backward()
    return [by_name.detach(), (by_name - by_hand).abs().max().item(), q.grad]


def the_norm_of_zero_has_the_gradient_zero(torch):
    return slopes(torch, torch.linalg.norm, [0.0, 0.0])


def a_linear_layer_with_an_integer_bias(torch):
    f = torch.nn.functional.linear
    return f(torch.ones(2, 3), torch.ones(1, 3), torch.tensor([1]))


def gradients_of_a_linear_layer_on_sequences(torch):
    linear = torch.nn.functional.linear
    return slopes(torch, linear, [[[1.0, 2.0]], [[3.0, 4.0]]], [[1.0, -1.0]], [0.5])


PROGRAMS = (
    a_determinant_has_a_gradient_where_it_is_zero,
    the_gradient_of_a_determinant_of_rank_below_n_minus_1_is_zero,
    a_determinant_has_a_second_derivative_where_it_is_next_to_zero,
    the_third_derivative_of_a_determinant,
    least_squares_by_the_normal_equations,
    gradients_of_a_solution,
    attention_by_einsum_and_by_matmul,
    the_norm_of_zero_has_the_gradient_zero,
    a_linear_layer_with_an_integer_bias,
    gradients_of_a_linear_layer_on_sequences,
)

OTHER_WORDS = {
    # ours say which sizes, dtypes or letters do not fit together
    "torch.nn.functional.linear(torch.ones(2, 3), torch.ones(4, 3), torch.ones(5))",
    "a_linear_layer_with_an_integer_bias",
    'torch.einsum("i.j", torch.ones(2, 3))',
    # the argument that is no tensor has its name, and the function its public one
    'torch.einsum("i", [1.0])',
    "torch.linalg.inv([[1.0]])",
    # no norm of matrices but "fro" is there, nor its message
    'torch.linalg.norm(torch.ones(2), "fro")',
}
