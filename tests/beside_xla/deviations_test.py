"""Differences that deviations.explain() explains, and some that it must not. Needs no JAX."""

import types
import unittest

import numpy as np

import deviations

TINY = 5e-324


def explain(name, operands, xla, ours, agrees_plain=False, **params):
    node = types.SimpleNamespace(name=name, params=params)
    arrays = [[np.asarray(x) for x in group] for group in (operands, xla, ours)]
    return deviations.explain(node, *arrays, lambda: agrees_plain)


class Deviations(unittest.TestCase):
    def test_order_of_denormals_is_compared_exactly(self):
        given = [0.0, -TINY, 1.0]
        self.assertEqual(explain("sort", [given], [given], [[-TINY, 0.0, 1.0]]),
                         ["order_of_denormals"])

    def test_a_wrong_order_of_other_numbers_is_a_finding(self):
        self.assertIsNone(explain("sort", [[2.0, 1.0]], [[1.0, 2.0]], [[2.0, 1.0]]))

    def test_equal_results_are_not_explained(self):
        nan = [np.nan, -0.0]
        self.assertIsNone(explain("sort", [nan], [nan], [nan]))

    def test_window_partly_out_of_bounds(self):
        scatter = dict(window=(0,), inserted=(), to_operand=(0,))
        operands = [np.ones(4), np.array([3]), np.full((2,), 5.0)]
        self.assertEqual(explain("scatter", operands, [[1.0, 1, 1, 1]], [[1.0, 1, 1, 5]],
                                 **scatter), ["window_partly_out_of_bounds"])
        self.assertIsNone(explain("scatter", operands, [[1.0, 1, 1, 1]], [[5.0, 1, 1, 5]],
                                  **scatter))

    def test_simplifier(self):
        difference = dict(operands=[[1.0], [3.0]], xla=[[0.25]], ours=[[0.5]])
        self.assertEqual(explain("div", **difference, agrees_plain=True), ["simplifier_div"])
        self.assertIsNone(explain("div", **difference, agrees_plain=False))
        self.assertIsNone(explain("mul", **difference, agrees_plain=True))


if __name__ == "__main__":
    unittest.main()
