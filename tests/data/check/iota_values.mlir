// Indices as values (iota) beside values at the ends of their type. Halide takes arithmetic of indices
// to never overflow: folds lost steps, and comparisons with the smallest and largest value were wrong.

// reduce SI, iota SI: an accumulator's least value less a loop's length
func.func @max_of_columns() {
  %i = stablehlo.iota dim = 0 : tensor<65600x2xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %r = stablehlo.reduce(%i init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<65600x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<65599> : tensor<2xi32>
  func.return
}

// reduce SI, iota SI
func.func @max_of_rows() {
  %i = stablehlo.iota dim = 1 : tensor<3x50000xi32>
  %z = stablehlo.constant dense<-2147483648> : tensor<i32>
  %r = stablehlo.reduce(%i init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<3x50000xi32>, tensor<i32>) -> tensor<3xi32>
  check.expect_eq_const %r, dense<49999> : tensor<3xi32>
  func.return
}

// reduce SI, slice SI: a term is added to the index
func.func @max_of_a_slice() {
  %i = stablehlo.iota dim = 0 : tensor<1005x2xi32>
  %x = stablehlo.slice %i [5:1005, 0:2] : (tensor<1005x2xi32>) -> tensor<1000x2xi32>
  %z = stablehlo.constant dense<-2147483648> : tensor<i32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<1000x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<1004> : tensor<2xi32>
  func.return
}

// reduce SI, reverse SI: the index is subtracted
func.func @min_of_a_reverse() {
  %i = stablehlo.iota dim = 0 : tensor<1005x2xi32>
  %x = stablehlo.reverse %i, dims = [0] : tensor<1005x2xi32>
  %z = stablehlo.constant dense<2147483647> : tensor<i32>
  %r = stablehlo.reduce(%x init: %z) applies stablehlo.minimum across dimensions = [0] : (tensor<1005x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<0> : tensor<2xi32>
  func.return
}

// reduce SI: a body of compare and select
func.func @max_by_select() {
  %i = stablehlo.iota dim = 0 : tensor<1005x2xi32>
  %x = stablehlo.slice %i [5:1005, 0:2] : (tensor<1005x2xi32>) -> tensor<1000x2xi32>
  %z = stablehlo.constant dense<-2147483648> : tensor<i32>
  %r = "stablehlo.reduce"(%x, %z) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.compare GT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %v = stablehlo.select %p, %a, %b : tensor<i1>, tensor<i32>
    stablehlo.return %v : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<1000x2xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<1004> : tensor<2xi32>
  func.return
}

// reduce SI, iota SI
func.func @max_of_a_line() {
  %i = stablehlo.iota dim = 0 : tensor<200000xi32>
  %z = stablehlo.constant dense<-2147483648> : tensor<i32>
  %r = stablehlo.reduce(%i init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<200000xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %r, dense<199999> : tensor<i32>
  func.return
}

// reduce_window SI, iota SI
func.func @sliding_max() {
  %i = stablehlo.iota dim = 0 : tensor<200xi32>
  %z = stablehlo.constant dense<-2147483648> : tensor<i32>
  %r = "stablehlo.reduce_window"(%i, %z) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %v = stablehlo.maximum %x, %y : tensor<i32>
    stablehlo.return %v : tensor<i32>
  }) {window_dimensions = array<i64: 7>, padding = dense<[[3,3]]> : tensor<1x2xi64>} : (tensor<200xi32>, tensor<i32>) -> tensor<200xi32>
  check.expect_eq_const %r, dense<[3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 199, 199, 199]> : tensor<200xi32>
  func.return
}

// reduce_window SI, iota SI: a cumulative maximum
func.func @running_max() {
  %i = stablehlo.iota dim = 0 : tensor<600xi32>
  %z = stablehlo.constant dense<-2147483648> : tensor<i32>
  %r = "stablehlo.reduce_window"(%i, %z) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %v = stablehlo.maximum %x, %y : tensor<i32>
    stablehlo.return %v : tensor<i32>
  }) {window_dimensions = array<i64: 600>, padding = dense<[[599,0]]> : tensor<1x2xi64>} : (tensor<600xi32>, tensor<i32>) -> tensor<600xi32>
  check.expect_eq_const %r, dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261, 262, 263, 264, 265, 266, 267, 268, 269, 270, 271, 272, 273, 274, 275, 276, 277, 278, 279, 280, 281, 282, 283, 284, 285, 286, 287, 288, 289, 290, 291, 292, 293, 294, 295, 296, 297, 298, 299, 300, 301, 302, 303, 304, 305, 306, 307, 308, 309, 310, 311, 312, 313, 314, 315, 316, 317, 318, 319, 320, 321, 322, 323, 324, 325, 326, 327, 328, 329, 330, 331, 332, 333, 334, 335, 336, 337, 338, 339, 340, 341, 342, 343, 344, 345, 346, 347, 348, 349, 350, 351, 352, 353, 354, 355, 356, 357, 358, 359, 360, 361, 362, 363, 364, 365, 366, 367, 368, 369, 370, 371, 372, 373, 374, 375, 376, 377, 378, 379, 380, 381, 382, 383, 384, 385, 386, 387, 388, 389, 390, 391, 392, 393, 394, 395, 396, 397, 398, 399, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 419, 420, 421, 422, 423, 424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 435, 436, 437, 438, 439, 440, 441, 442, 443, 444, 445, 446, 447, 448, 449, 450, 451, 452, 453, 454, 455, 456, 457, 458, 459, 460, 461, 462, 463, 464, 465, 466, 467, 468, 469, 470, 471, 472, 473, 474, 475, 476, 477, 478, 479, 480, 481, 482, 483, 484, 485, 486, 487, 488, 489, 490, 491, 492, 493, 494, 495, 496, 497, 498, 499, 500, 501, 502, 503, 504, 505, 506, 507, 508, 509, 510, 511, 512, 513, 514, 515, 516, 517, 518, 519, 520, 521, 522, 523, 524, 525, 526, 527, 528, 529, 530, 531, 532, 533, 534, 535, 536, 537, 538, 539, 540, 541, 542, 543, 544, 545, 546, 547, 548, 549, 550, 551, 552, 553, 554, 555, 556, 557, 558, 559, 560, 561, 562, 563, 564, 565, 566, 567, 568, 569, 570, 571, 572, 573, 574, 575, 576, 577, 578, 579, 580, 581, 582, 583, 584, 585, 586, 587, 588, 589, 590, 591, 592, 593, 594, 595, 596, 597, 598, 599]> : tensor<600xi32>
  func.return
}

// reduce_window SI, iota SI
func.func @max_of_pairs() {
  %i = stablehlo.iota dim = 0 : tensor<8xi32>
  %z = stablehlo.constant dense<-2147483648> : tensor<i32>
  %r = "stablehlo.reduce_window"(%i, %z) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %v = stablehlo.maximum %x, %y : tensor<i32>
    stablehlo.return %v : tensor<i32>
  }) {window_dimensions = array<i64: 2>, padding = dense<[[0,1]]> : tensor<1x2xi64>} : (tensor<8xi32>, tensor<i32>) -> tensor<8xi32>
  check.expect_eq_const %r, dense<[1, 2, 3, 4, 5, 6, 7, 7]> : tensor<8xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: an index beside the least value
func.func @ge_least() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %p = stablehlo.constant dense<-2147483648> : tensor<100xi32>
  %c = stablehlo.compare GE, %i, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<true> : tensor<100xi1>
  %minimum = stablehlo.minimum %i, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<-2147483648> : tensor<100xi32>
  %maximum = stablehlo.maximum %i, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a slice beside the least value
func.func @slice_ge_least() {
  %i = stablehlo.iota dim = 0 : tensor<105xi32>
  %x = stablehlo.slice %i [5:105] : (tensor<105xi32>) -> tensor<100xi32>
  %p = stablehlo.constant dense<-2147483648> : tensor<100xi32>
  %c = stablehlo.compare GE, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<true> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<-2147483648> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104]> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a reverse beside the least value
func.func @reverse_ge_least() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %x = stablehlo.reverse %i, dims = [0] : tensor<100xi32>
  %p = stablehlo.constant dense<-2147483648> : tensor<100xi32>
  %c = stablehlo.compare GE, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<true> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<-2147483648> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<[99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: an index beside the least value
func.func @lt_least() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %p = stablehlo.constant dense<-2147483648> : tensor<100xi32>
  %c = stablehlo.compare LT, %i, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<false> : tensor<100xi1>
  %minimum = stablehlo.minimum %i, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<-2147483648> : tensor<100xi32>
  %maximum = stablehlo.maximum %i, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a slice beside the least value
func.func @slice_lt_least() {
  %i = stablehlo.iota dim = 0 : tensor<105xi32>
  %x = stablehlo.slice %i [5:105] : (tensor<105xi32>) -> tensor<100xi32>
  %p = stablehlo.constant dense<-2147483648> : tensor<100xi32>
  %c = stablehlo.compare LT, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<false> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<-2147483648> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104]> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a reverse beside the least value
func.func @reverse_lt_least() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %x = stablehlo.reverse %i, dims = [0] : tensor<100xi32>
  %p = stablehlo.constant dense<-2147483648> : tensor<100xi32>
  %c = stablehlo.compare LT, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<false> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<-2147483648> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<[99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: an index beside the least value
func.func @gt_least() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %p = stablehlo.constant dense<-2147483648> : tensor<100xi32>
  %c = stablehlo.compare GT, %i, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<true> : tensor<100xi1>
  %minimum = stablehlo.minimum %i, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<-2147483648> : tensor<100xi32>
  %maximum = stablehlo.maximum %i, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a slice beside the least value
func.func @slice_gt_least() {
  %i = stablehlo.iota dim = 0 : tensor<105xi32>
  %x = stablehlo.slice %i [5:105] : (tensor<105xi32>) -> tensor<100xi32>
  %p = stablehlo.constant dense<-2147483648> : tensor<100xi32>
  %c = stablehlo.compare GT, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<true> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<-2147483648> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104]> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a reverse beside the least value
func.func @reverse_gt_least() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %x = stablehlo.reverse %i, dims = [0] : tensor<100xi32>
  %p = stablehlo.constant dense<-2147483648> : tensor<100xi32>
  %c = stablehlo.compare GT, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<true> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<-2147483648> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<[99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: an index beside the least value
func.func @le_least() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %p = stablehlo.constant dense<-2147483648> : tensor<100xi32>
  %c = stablehlo.compare LE, %i, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<false> : tensor<100xi1>
  %minimum = stablehlo.minimum %i, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<-2147483648> : tensor<100xi32>
  %maximum = stablehlo.maximum %i, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a slice beside the least value
func.func @slice_le_least() {
  %i = stablehlo.iota dim = 0 : tensor<105xi32>
  %x = stablehlo.slice %i [5:105] : (tensor<105xi32>) -> tensor<100xi32>
  %p = stablehlo.constant dense<-2147483648> : tensor<100xi32>
  %c = stablehlo.compare LE, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<false> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<-2147483648> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104]> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a reverse beside the least value
func.func @reverse_le_least() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %x = stablehlo.reverse %i, dims = [0] : tensor<100xi32>
  %p = stablehlo.constant dense<-2147483648> : tensor<100xi32>
  %c = stablehlo.compare LE, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<false> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<-2147483648> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<[99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: an index beside the largest value
func.func @ge_largest() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %p = stablehlo.constant dense<2147483647> : tensor<100xi32>
  %c = stablehlo.compare GE, %i, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<false> : tensor<100xi1>
  %minimum = stablehlo.minimum %i, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]> : tensor<100xi32>
  %maximum = stablehlo.maximum %i, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<2147483647> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a slice beside the largest value
func.func @slice_ge_largest() {
  %i = stablehlo.iota dim = 0 : tensor<105xi32>
  %x = stablehlo.slice %i [5:105] : (tensor<105xi32>) -> tensor<100xi32>
  %p = stablehlo.constant dense<2147483647> : tensor<100xi32>
  %c = stablehlo.compare GE, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<false> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104]> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<2147483647> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a reverse beside the largest value
func.func @reverse_ge_largest() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %x = stablehlo.reverse %i, dims = [0] : tensor<100xi32>
  %p = stablehlo.constant dense<2147483647> : tensor<100xi32>
  %c = stablehlo.compare GE, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<false> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<[99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<2147483647> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: an index beside the largest value
func.func @lt_largest() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %p = stablehlo.constant dense<2147483647> : tensor<100xi32>
  %c = stablehlo.compare LT, %i, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<true> : tensor<100xi1>
  %minimum = stablehlo.minimum %i, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]> : tensor<100xi32>
  %maximum = stablehlo.maximum %i, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<2147483647> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a slice beside the largest value
func.func @slice_lt_largest() {
  %i = stablehlo.iota dim = 0 : tensor<105xi32>
  %x = stablehlo.slice %i [5:105] : (tensor<105xi32>) -> tensor<100xi32>
  %p = stablehlo.constant dense<2147483647> : tensor<100xi32>
  %c = stablehlo.compare LT, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<true> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104]> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<2147483647> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a reverse beside the largest value
func.func @reverse_lt_largest() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %x = stablehlo.reverse %i, dims = [0] : tensor<100xi32>
  %p = stablehlo.constant dense<2147483647> : tensor<100xi32>
  %c = stablehlo.compare LT, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<true> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<[99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<2147483647> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: an index beside the largest value
func.func @gt_largest() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %p = stablehlo.constant dense<2147483647> : tensor<100xi32>
  %c = stablehlo.compare GT, %i, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<false> : tensor<100xi1>
  %minimum = stablehlo.minimum %i, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]> : tensor<100xi32>
  %maximum = stablehlo.maximum %i, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<2147483647> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a slice beside the largest value
func.func @slice_gt_largest() {
  %i = stablehlo.iota dim = 0 : tensor<105xi32>
  %x = stablehlo.slice %i [5:105] : (tensor<105xi32>) -> tensor<100xi32>
  %p = stablehlo.constant dense<2147483647> : tensor<100xi32>
  %c = stablehlo.compare GT, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<false> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104]> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<2147483647> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a reverse beside the largest value
func.func @reverse_gt_largest() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %x = stablehlo.reverse %i, dims = [0] : tensor<100xi32>
  %p = stablehlo.constant dense<2147483647> : tensor<100xi32>
  %c = stablehlo.compare GT, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<false> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<[99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<2147483647> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: an index beside the largest value
func.func @le_largest() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %p = stablehlo.constant dense<2147483647> : tensor<100xi32>
  %c = stablehlo.compare LE, %i, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<true> : tensor<100xi1>
  %minimum = stablehlo.minimum %i, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99]> : tensor<100xi32>
  %maximum = stablehlo.maximum %i, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<2147483647> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a slice beside the largest value
func.func @slice_le_largest() {
  %i = stablehlo.iota dim = 0 : tensor<105xi32>
  %x = stablehlo.slice %i [5:105] : (tensor<105xi32>) -> tensor<100xi32>
  %p = stablehlo.constant dense<2147483647> : tensor<100xi32>
  %c = stablehlo.compare LE, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<true> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<[5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104]> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<2147483647> : tensor<100xi32>
  func.return
}

// compare SI, minimum SI, maximum SI: a reverse beside the largest value
func.func @reverse_le_largest() {
  %i = stablehlo.iota dim = 0 : tensor<100xi32>
  %x = stablehlo.reverse %i, dims = [0] : tensor<100xi32>
  %p = stablehlo.constant dense<2147483647> : tensor<100xi32>
  %c = stablehlo.compare LE, %x, %p : (tensor<100xi32>, tensor<100xi32>) -> tensor<100xi1>
  check.expect_eq_const %c, dense<true> : tensor<100xi1>
  %minimum = stablehlo.minimum %x, %p : tensor<100xi32>
  check.expect_eq_const %minimum, dense<[99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80, 79, 78, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<100xi32>
  %maximum = stablehlo.maximum %x, %p : tensor<100xi32>
  check.expect_eq_const %maximum, dense<2147483647> : tensor<100xi32>
  func.return
}
