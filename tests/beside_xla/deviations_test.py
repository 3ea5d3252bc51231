"""Differences that deviations.explain() explains, and some that it must not. Needs no JAX."""

import types
import unittest

import ml_dtypes
import numpy as np

import deviations

TINY = 5e-324


def explain(name, operands, xla, ours, agrees_plain=False, differs=False, **params):
    node = types.SimpleNamespace(name=name, params=params)
    arrays = [[np.asarray(x) for x in group] for group in (operands, xla, ours)]
    return deviations.explain(node, *arrays, lambda: agrees_plain, differs)


class Deviations(unittest.TestCase):
    def test_order_of_denormals_is_compared_exactly(self):
        given = [0.0, -TINY, 1.0]
        self.assertEqual(explain("sort", [given], [given], [[-TINY, 0.0, 1.0]]),
                         ["order_of_denormals"])

    def test_a_wrong_order_of_other_numbers_is_a_finding(self):
        self.assertIsNone(explain("sort", [[2.0, 1.0]], [[1.0, 2.0]], [[2.0, 1.0]]))

    def test_equal_results_are_not_explained(self):
        nan = [np.nan, -0.0]
        self.assertEqual(explain("sort", [nan], [nan], [nan]), [])
        self.assertEqual(explain("dot", [nan], [1.0], [1.0 + 1e-15]), [])

    def test_a_number_is_not_near_infinity(self):
        self.assertIsNone(explain("add", [1.0, 1.0], [[1.0]], [[np.inf]]))

    def test_window_partly_out_of_bounds(self):
        scatter = dict(window=(0,), inserted=(), to_operand=(0,))
        operands = [np.ones(4), np.array([3]), np.full((2,), 5.0)]
        self.assertEqual(explain("scatter", operands, [[1.0, 1, 1, 1]], [[1.0, 1, 1, 5]],
                                 **scatter), ["window_partly_out_of_bounds"])
        self.assertIsNone(explain("scatter", operands, [[1.0, 1, 1, 1]], [[5.0, 1, 1, 5]],
                                  **scatter))

    def test_order_of_products_of_a_scatter(self):
        scatter = dict(window=(), inserted=(0,), to_operand=(0,), how="mul")
        operands = [np.float32([2, 2]), np.array([[0], [0]]), np.float32([0, 3e38])]
        self.assertEqual(explain("scatter", operands, [np.float32([np.nan, 2])],
                                 [np.float32([0, 2])], **scatter), ["order_of_products"])
        self.assertIsNone(explain("scatter", operands[:2] + [np.float32([0, 3])],
                                  [np.float32([np.nan, 2])], [np.float32([0, 2])], **scatter))

    def test_modulus_of_infinity_and_nan(self):
        x = [complex(np.inf, np.nan), complex(1, np.nan)]
        self.assertEqual(explain("abs", [x], [[np.nan, np.nan]], [[np.inf, np.nan]]),
                         ["modulus_of_infinity_and_nan"])
        self.assertIsNone(explain("abs", [x], [[np.nan, np.nan]], [[np.inf, np.inf]]))

    def test_sign_of_nan(self):
        xla, ours = [[1.0, np.nan], [1, 0]], [[np.nan, 1.0], [0, 1]]
        self.assertEqual(explain("top_k", [[np.nan, 1.0]], xla, ours), ["sign_of_nan"] * 2)
        self.assertIsNone(explain("top_k", [[2.0, 1.0]], xla, ours))

    def test_order_of_products(self):
        given = dict(kind="mul", dims=(0,))
        wide = np.float32([1e38, 1e38, 1e-38, 1e-38])
        for ours in (np.inf, 0, np.nan):
            self.assertEqual(explain("reduce", [wide], np.float32([1.0]), np.float32([ours]),
                                     **given), ["order_of_products"])
        self.assertIsNone(explain("reduce", [wide], np.float32([1.0]), np.float32([2.0]), **given))
        self.assertIsNone(explain("reduce", [np.float32([1, 2])], np.float32([2.0]),
                                  np.float32([np.inf]), **given))

    def test_order_of_cumulative_products(self):
        x = np.array([2.0 ** 900, 2.0 ** 900, 0.0, 1.0])
        xla, ours = [np.array([1, np.nan, np.nan, 1])], [np.array([1, np.inf, 0.0, 1])]
        self.assertEqual(explain("cumprod", [x], xla, ours, axis=0), ["order_of_products"])
        self.assertIsNone(explain("cumprod", [x[::-1].copy()], [np.array([np.nan, 0, 0, 0])],
                                  [np.zeros(4)], axis=0))

    def test_arctangent_of_denormals(self):
        below, x, normal = np.array([TINY]), np.array([-1.0]), np.array([3e-308])
        for at, xla, ours in ((x, -np.pi, np.pi), (normal, 0.0, 0.4), (np.zeros(1), 0.0, 1.57)):
            self.assertEqual(explain("atan2", [below, at], [[xla]], [[ours]]),
                             ["arctangent_of_denormals"])
        self.assertIsNone(explain("atan2", [below, x], [[1.57]], [[np.pi]]))
        self.assertIsNone(explain("atan2", [np.zeros(1), x], [[-np.pi]], [[np.pi]]))
        self.assertIsNone(explain("atan2", [normal, normal], [[0.0]], [[0.4]]))

    def test_infinity_times_denormal(self):
        x, y = np.array([complex(-np.inf, 0.25)]), np.array([complex(1, TINY)])
        difference = [[complex(np.inf, np.nan)]], [[complex(np.inf, -np.inf)]]
        self.assertEqual(explain("mul", [x, y], *difference), ["infinity_times_denormal"])
        self.assertIsNone(explain("mul", [x, x], *difference))

    def test_exponential_of_infinity(self):
        difference = [[complex(np.nan, np.nan)]], [[complex(-1, 0)]]
        x = np.array([complex(-np.inf, np.inf)])
        self.assertEqual(explain("expm1", [x], *difference), ["exponential_of_infinity"])
        self.assertIsNone(explain("expm1", [np.array([complex(-np.inf, 0.5)])], *difference))

    def test_padding_times_infinity(self):
        how = dict(numbers=((0, 1, 2), (0, 1, 2), (0, 1, 2)), padding=((1, 0),), lhs=(1,), rhs=(1,),
                   strides=(1,), groups=1, batches=1)
        operands = [np.ones((1, 1, 3)), np.array([[[np.inf, 1.0]]])]
        xla = np.array([[[1.0, np.inf, np.inf]]])
        for place, rule in ((0, ["padding_times_infinity"]), (1, None)):
            ours = xla.copy()
            ours[0, 0, place] = np.nan
            self.assertEqual(explain("conv", operands, [xla], [ours], **how), rule)
        hole = how | dict(padding=((0, 0),), lhs=(2,))
        xla = np.array([[[np.inf, 1.0, np.inf, 1.0]]])
        for place, rule in ((1, ["padding_times_infinity"]), (2, None)):
            ours = xla.copy()
            ours[0, 0, place] = np.nan
            self.assertEqual(explain("conv", operands, [xla], [ours], **hole), rule)

    def test_saturated_convolution(self):
        how = dict(groups=1, batches=1)
        most = np.array([2**31 - 1], np.int32)
        difference = [most], [np.array([-2], np.int32)]
        self.assertEqual(explain("conv", [most, np.int32([2])], *difference, **how),
                         ["saturated_convolution"])
        self.assertIsNone(explain("conv", [np.int32([7]), np.int32([2])], *difference, **how))

    def test_operand_longer_than_index_type(self):
        x = np.zeros(200)
        ours = np.where(np.arange(200) == 3, 1.0, 0)
        how = dict(window=(), inserted=(0,), to_operand=(0,))
        for dtype, rule in ((np.int8, ["operand_longer_than_index_type"]), (np.int16, None)):
            self.assertEqual(explain("scatter", [x, np.array([[3]], dtype), np.ones(1)], [x],
                                     [ours], **how), rule)

    def test_digamma_of_f32(self):
        one, exact = np.float32([1.0]), np.float32([-0.5772157])
        off = np.float32([-0.5772150])
        self.assertEqual(explain("digamma", [one], [off], [exact]), ["digamma_of_f32"])
        self.assertEqual(explain("digamma", [one], [exact], [off]), [])

    def test_small_types(self):
        e8m0, e3m4 = ml_dtypes.float8_e8m0fnu, ml_dtypes.float8_e3m4
        nan, least, half = (np.array([x]).astype(e8m0) for x in (np.nan, 2.0**-127, 0.5))
        self.assertEqual(explain("round", [half], [nan], [least]), ["zero_of_e8m0"])
        self.assertIsNone(explain("round", [half], [nan], [half]))
        self.assertEqual(explain("convert", [[-0.25]], [half], [nan]), ["negative_to_e8m0"])
        self.assertIsNone(explain("convert", [[0.25]], [half], [nan]))
        one, not_one = np.array([1]).astype(e3m4), np.array([np.nan]).astype(e3m4)
        self.assertEqual(explain("round", [one], [not_one], [one]),
                         ["rounded_constants_of_e3m4"])
        self.assertIsNone(explain("round", [one], [one], [not_one]))
        zero, denormal = (np.array([x]).astype(ml_dtypes.float4_e2m1fn) for x in (0, 0.5))
        self.assertEqual(explain("reduce_precision", [denormal], [zero], [denormal]),
                         ["reduced_denormals_of_few_bits"])
        self.assertEqual(explain("reduce_precision", [denormal], [denormal], [zero]), [])
        self.assertEqual(explain("reduce_precision", [denormal], [denormal], [zero], exponent=3,
                                 differs=True), ["reduced_denormals_of_few_bits"])

    def test_what_a_rule_explains_is_the_same_on_all_targets(self):
        def defined(rule, xla, ours, reference):
            arrays = [[np.asarray([x])] for x in (xla, ours, reference)]
            return deviations.defined(types.SimpleNamespace(name="scatter"), [rule], *arrays)
        rule = "window_partly_out_of_bounds"
        self.assertTrue(defined(rule, 1.0, 5.0, 5.0))
        self.assertFalse(defined(rule, 1.0, 4.0, 5.0))
        self.assertTrue(defined(rule, 1.0, 1.0, 1.0 + 1e-15))
        self.assertTrue(defined("order_of_products", 1.0, np.inf, 0.0))

    def test_infinite_complex_sums_are_of_free_order(self):
        infinite, other = np.array([complex(np.inf, np.inf)]), np.array([complex(np.nan, np.inf)])
        xla, finite = np.array([complex(np.nan, np.nan)]), np.array([complex(1, 2)])
        node = types.SimpleNamespace(name="dot", params={})
        names = ["complex_sum_times_one"]
        self.assertTrue(deviations.defined(node, names, [xla], [infinite], [other]))
        self.assertFalse(deviations.defined(node, names, [xla], [infinite], [finite]))
        real = types.SimpleNamespace(name="mul", params={})
        self.assertFalse(deviations.defined(real, names, [xla], [infinite], [other]))

    def test_simplifier(self):
        difference = dict(operands=[[1.0], [3.0]], xla=[[0.25]], ours=[[0.5]])
        self.assertEqual(explain("div", **difference, agrees_plain=True), ["simplifier_div"])
        self.assertIsNone(explain("div", **difference, agrees_plain=False))
        self.assertIsNone(explain("mul", **difference, agrees_plain=True))

    def test_simplifier_by_one_unit_in_the_last_place(self):
        near = dict(operands=[[2.5], [-1.5]], xla=[[-5 / 3]], ours=[[np.nextafter(-5 / 3, 0)]])
        for agrees_plain, differs, rule in ((True, True, ["simplifier_div"]), (True, False, []),
                                            (False, True, [])):
            self.assertEqual(explain("div", **near, agrees_plain=agrees_plain, differs=differs),
                             rule)
        self.assertEqual(explain("mul", **near, agrees_plain=True, differs=True), [])

    def test_padding_after_cropping(self):
        how = dict(numbers=((0, 1, 2), (0, 1, 2), (0, 1, 2)), padding=((-1, 1),), lhs=(1,),
                   rhs=(1,), strides=(1,), groups=1, batches=1)
        operands = [np.ones((1, 1, 4), np.float32), np.ones((1, 1, 2), np.float32)]
        ours = np.float32([[[2, 2, 1]]])
        for place, rule in ((2, ["padding_after_cropping"]), (1, None)):
            xla = ours.copy()
            xla[0, 0, place] += 1
            self.assertEqual(explain("conv", operands, [xla], [ours], **how), rule)
        xla = ours + np.float32([0, 0, 1])
        for size, other in ((4, dict(padding=((1, -1),))), (5, dict(rhs=(2,))),
                            (5, dict(padding=((-1, 0),)))):
            given = [np.ones((1, 1, size), np.float32), operands[1]]
            self.assertIsNone(explain("conv", given, [xla], [ours], **(how | other)))
        wide = [x.astype(np.float64) for x in (*operands, xla, ours)]
        self.assertIsNone(explain("conv", wide[:2], [wide[2]], [wide[3]], **how))

    def test_overflow_of_score(self):
        most = np.finfo(np.float64).max
        q = np.array([[1.0, 1.0], [-1.0, most]]).reshape(1, 2, 1, 2)
        k = np.array([[np.inf, 1.25], [1.0, -0.75]]).reshape(1, 2, 1, 2)
        v, ours = np.ones((1, 2, 1, 2)), np.ones((1, 2, 1, 2))
        for place, rule in ((1, ["overflow_of_score"]), (0, None)):
            xla = ours.copy()
            xla[0, place] = np.nan
            self.assertEqual(explain("attention", [q, k, v], [xla], [ours], causal=True), rule)
        k[0, 0, 0, 1] = 0.5
        self.assertIsNone(explain("attention", [q, k, v], [xla], [ours], causal=True))
        hidden = [q[:, ::-1], k[:, ::-1], v]  # the score that overflows is of a later key
        hidden[1][0, 1, 0, 1] = 1.25
        xla = ours.copy()
        xla[0, 0] = np.nan
        self.assertIsNone(explain("attention", hidden, [xla], [ours], causal=True))
        self.assertEqual(explain("attention", hidden, [xla], [ours], causal=False),
                         ["overflow_of_score"])
        xla[0, 0] = 2.0  # neither is NaN
        self.assertIsNone(explain("attention", hidden, [xla], [ours], causal=False))

    def test_score_of_infinity_times_denormal(self):
        q = np.array([[1.0, 1.0], [-TINY, 1.0]]).reshape(1, 2, 1, 2)
        k = np.array([[np.inf, 1.0], [1.0, 1.0]]).reshape(1, 2, 1, 2)
        ours = np.ones((1, 2, 1, 2))
        for place, rule in ((1, ["score_of_infinity_times_denormal"]), (0, None)):
            xla = ours.copy()
            xla[0, place] = np.nan
            self.assertEqual(explain("attention", [q, k, ours], [xla], [ours], causal=True), rule)
            self.assertIsNone(explain("attention", [q, k, ours], [ours], [xla], causal=True))


if __name__ == "__main__":
    unittest.main()
