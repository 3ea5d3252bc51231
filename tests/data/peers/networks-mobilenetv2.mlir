module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x16x16x3xf32>) -> (tensor<1x5xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<"0x3FBD9B3E4C4BC1BED6C4EDBD30F55FBECD9D273E1534A7BC3C17853C64B80EBCC7C64EBD3BE2A73E9BAC583E5746BDBE928C563EB48772BE2C40993EEC8F85BE01A9B1BE1742BEBE1A72CDBEFEA5F13D8EE4B6BD9D4D87BEA058B03E9D42863A069F94BE7EEBF03E2699FBBD3FD7583CC79C9EBE2090BCBDD72AD5BEEA7D633D73536FBCC5BC7CBE55F7BBBB1F5EADBEE789B93CC3BD89BDB62FB73E1345803E8B087FBDF59107BC5836033B15F936BD8EA586BBB50AAB3EFD08913EFC7E3D3EE95E8C3DD40AE83EC72F903EFFD2D4BD9860C3BD1936AB3EFFEBC7BDBA4E05BF6C228F3E3CD7BCBEC2EAE8BEB64A93BEAB40B8BE1F9A573E0467F0BE01D222BD8C16E23D5B4EC5BEB35E793E8F0DC83E5F4D9A3DDE09773ECBD7ADBDBCC6893E610860BE8C5FC3BE8FF8063D4DF00FBFB739803E7BF1EBBD4A43CEBE6C1B5EBE47D73A3EA540D43D53DFB23E10C0FABE082D1C3E2E7B24BED2D6D23EC0D7323ED1F76ABEC3AF3CBEDF39033E270AAA3C35F4C53E865E58BE2611113DD6C91ABDFE11513E15B0E13E1086063ED19A853E72F4E8BDF048193EE988A5BDC6AF87BE77B8F73C7CBBD83C12EDAEBE76A7133E"> : tensor<3x3x3x4xf32>
    %cst_0 = stablehlo.constant dense<[0.112077735, -0.0101363426, 0.0613391772, 0.100130394]> : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<[[[[0.792411804, 0.436108381, -0.465866357, 0.0979592278]], [[-0.574891806, 0.0421100408, -0.496119052, -0.326088816]], [[-0.934527039, 1.06897104, -0.0616564974, -0.226686046]]], [[[-0.581071675, 0.357847661, -0.224850476, -0.292467892]], [[-0.325392127, 1.1149404, -1.789660e-01, 0.879016458]], [[-0.391986966, 0.0157558825, 0.155070975, -0.783416688]]], [[[-0.0360771045, 0.380650818, -0.375556767, 0.590139329]], [[0.434948146, 0.370845377, 0.373524487, -0.216938898]], [[1.13019061, 0.0918320491, 0.129409328, 0.0335416272]]]]> : tensor<3x3x1x4xf32>
    %cst_2 = stablehlo.constant dense<[0.0644241646, 0.179095149, -0.0351870768, -0.048048459]> : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<[[[[-0.144428268, 0.60311234, 0.468406886, 0.826264858], [0.589114428, 0.0757072419, 0.536909938, -0.360094965], [0.785923302, -0.0653957426, 0.593951344, -0.248292565], [-0.825769186, -0.982313394, -0.9282974, 0.902779996]]]]> : tensor<1x1x4x4xf32>
    %cst_4 = stablehlo.constant dense<[0.175057635, 0.0116711501, -0.0199885424, 0.0205917303]> : tensor<4xf32>
    %cst_5 = stablehlo.constant dense<[[[[0.36765492, -1.23453104, -1.08843756, 1.07361186, 1.39934409, -1.50490534, 0.0240306761, 0.146012902, 0.769168913, -0.0296669398, -0.572054505, -0.654251218], [-1.83151031, 3.347600e-01, -0.308671802, 0.482662231, -1.3086772, 0.349908292, -0.345569879, -0.274474978, -0.728429556, -0.259231865, -0.228927031, -0.377088338], [3.020310e-01, 0.764509916, -1.05125344, 0.251740098, 1.97728205, -0.874144494, -0.116089202, -1.04005682, 1.11824071, 0.748394251, -0.715310513, -0.300537884], [1.14008844, -1.07666361, 0.0799469351, 0.417712778, 0.311135679, -0.318697155, 0.80197823, 0.603990316, -0.0466192551, -0.506028116, -0.76022017, 0.187373444]]]]> : tensor<1x1x4x12xf32>
    %cst_6 = stablehlo.constant dense<[0.00305627449, -0.0108632082, -0.142356858, 0.0295716524, -0.119180895, 0.144132838, 0.0917017311, -0.0384346806, 0.00809553079, 0.0962586924, -0.165107921, 0.0850122794]> : tensor<12xf32>
    %cst_7 = stablehlo.constant dense<"0x1CCF703D0C7DAF3E7CA9C93EF4C38F3E8059D73EB8DFE33E7122E63E1DE2E63DF16C27BE72EAC33E989BF4BD752F49BEB49C54BEF93402BED6A0853FAB45C9BD459ED33D99EBACBD4B4871BDA5F60C3E629E3ABE5B38113EFD289DBE811B08BF5841083EBFCE46BF8844243F430F7EBDEFBC533EEBA73F3E49F93ABD5431813EEC5524BEF107103F577AD53E1A0AE6BE857AA33E01C5043F1AFE6F3FD1A9E13E74CE97BE9091D83D125AF83EEEDCAFBEB15DFA3E591F9B3C2211663F305C6C3F632A513ED42E263FC78CC0BEEAAAD53CC765803EB34AFC3EF8F8FB3CD14A1D3EE6AA913F77C9D3BECF02C3BE288D9ABFE28C3E3F7AAE95BD6A2929BC78602CBDFB2C3D3E7BD7B53DBC1CF4BC084523BE0F8418BF1E69DD3DDB9A45BE11DF1CBF62F20ABF6C0D8EBE3F021B3F036C96BEB1441DBE3BD7E6BC6555E63EDEDFF83D3A7C933D762504BF1A5BE8BDD7C50CBFC5F0643E80A6C7BE8D77A83E39F9153E5BBD09BFC115F2BEFA1C223F45B98BBB4C9E8C3E71A830BFE4F77D3D340FF73E800B9C3E842098BE5A24643F6582A03D929D9EBEB93417BF49DDBDBE38F9ED3EF79A03BF50F6E7BDB8A98E3D572748BD"> : tensor<3x3x1x12xf32>
    %cst_8 = stablehlo.constant dense<[0.0317959525, 0.10161449, 0.049809549, 0.115987539, 0.0296045747, 0.147720873, 0.048415821, 0.14975743, -0.0212467052, -0.128463611, -0.143800303, 1.529830e-01]> : tensor<12xf32>
    %cst_9 = stablehlo.constant dense<[[[[0.298027366, -0.513463736, -0.805531799, -0.423953921, -0.198897883, -0.0243034121], [0.363103807, -0.0282309633, -0.471938074, 0.610750079, -0.0441040359, -0.338351101], [-0.351670533, -0.564923525, -0.63811475, 0.249510035, -0.620175242, -0.220607981], [0.388540775, 0.764761805, -0.0661411136, 0.539078832, 0.521121919, -0.776591598], [-0.320871115, -0.342002571, 0.0523268282, -0.327847779, 0.733720123, 0.0278369132], [-0.322155803, -0.180158854, -0.00264593144, -0.346747339, 5.058860e-01, 0.602151096], [-0.384224653, -0.385341406, 0.576927066, -0.414241165, -0.305130601, -0.30807671], [-0.110323407, 0.227853298, 4.714600e-01, -0.279947698, 0.233728915, -0.265684187], [0.383150667, -0.737465143, 0.493506461, 0.376515061, 0.311720729, 4.985470e-02], [-0.0878751277, -0.256998062, 0.1226933, 0.664876639, 0.256522566, -0.146781161], [-0.0866173357, 0.433852017, -0.210291773, -0.975095212, -0.0332153589, -0.169262096], [0.15703325, 0.217142984, 0.0764809623, 0.109711297, 0.428446531, 0.934836447]]]]> : tensor<1x1x12x6xf32>
    %cst_10 = stablehlo.constant dense<[-0.204229236, -0.0233695786, 0.0974717959, 0.115658775, -0.109255232, -0.0207330715]> : tensor<6xf32>
    %cst_11 = stablehlo.constant dense<"0x53C8933F48DC6F3FFFF98EBF02C475BD1A6122BE3A63A7BE3633B03D9109EDBD03ADA73D0206C93E0945EE3E88F4D3BE6040B7BF93FF96BF1F8FF13EB4F846BDDE26C8BD0BD1853EA18509BF83F841BEAA32813E4555033EA2A71DBE94FFA93C7185103FEE3D8CBF0A36DCBED41B17BF863F3F3F140E34BEDA5C033E260B14BD13B4EF3E11F8C6BE7E3A0DBEC7A58C3FE1B1873F7B5F763F64C1E6BECA58D5BE824706BFB8CA3DBF648648BE76E3BDBE1BB7EA3EFACB71BD47CAC03E90DAAEBF524FA9BE176E8ABF53E2693F6803CD3EECD3D23E36EC21BF25DD24BFD021463FA3EB1BBF6A5EF4BE58BEB7BDFB66513F898333BF3A67363E56FCE5BDAF173EBE5CBA1ABEAFBE893F14CAA8BFD6DD8BBE0B3E75BF6F4DBFBD5BF232BF18E3D63A51AC1ABFA2B27EBCF59CFD3FDDFA5B3F5CFFEFBDB3F926BF3EC2203F746CE43EFA3E43BFF5159A3F703A093F175CECBEFD4D24BF52DF1C3EBEF452BF4FA5DABE7E3CB4BE7BFE1E3F6EF9D63EBCEB54BF888557BEA993A9BE7AD0AB3E679ECABEB9690DBE262339BFAB5954BEFD657DBE2AABB6394EA84E3E7ADEE83E3D3703BEB343F23E60B544BE28762E3EDCE801BF"> : tensor<1x1x6x18xf32>
    %cst_12 = stablehlo.constant dense<[-0.166532382, -0.0435750484, -0.195490077, 0.00673394511, -0.225596949, 0.00654034084, 0.133001536, -7.03250233E-4, 0.0336472951, -0.0494155288, -0.0660799816, -0.0806817486, 0.194614992, -0.030569071, -0.0749526917, 0.0632624105, -0.0923020616, -0.121979527]> : tensor<18xf32>
    %cst_13 = stablehlo.constant dense<"0x0D3595BF855313BED007833E361E3A3EC301043F8092433DE27ADEBE7799EABE84D88B3E559452BE0DC67FBF59A585BE135832BF23A3D0BF0309793D29B0E83DD7D103BFBBEC48BF251FB43D6F5887BE3D3546BFBF8E27BC90ABABBE980A133F9C5DB03E2F277ABE002E03BFBFF92CBF175FE3BDAC063C3E916C563FB67C643E8A71863E30CB89BE0F2152BF6AC8633F4F57AABF51A406BE7442C53EA1D85C3E4A9022BD3253D4BD23508F3E1AD6E83E6773FCBEA26CDF3D1E9D433F8FEA6D3F66E481BEC178073EC48061BF833A763F74B6B3BE59F5EE3EF74713BE22C8973E9011B73E97C9B6BE89ADE33E24D5D9BD027784BEA49F883E9AB5883FDD76D03DDB779C3D2D488D3F9B7DD5BDE6D3BE3E5576D0BE65D390BED09521BEC81715BF59C6373E9AB6A0BED18B883E2BC71D3F655E03BFE2972ABD8B0F30BDF43A0DBF4BC212BED0A99ABED789EC3E5261BDBD0D5587BDE8053C3E6BE206BFFC0C8EBE9BCF243EFDA559BF74138E3E8BB1E7BDA33D21BEDA54303EAE0C123F4A48A83C902CBEBECEBF1FBEF785983E12E3873FE63DADBD9E2B223FEFED293CB00C9EBE81E21BBF9216473E1A85033F7772F7BE25B6EEBEC8B4663C8A75043D247A993E3328B6BD51758B3FF0AF5C3FA5CF433FA58DD7BE5A9883BE5417923E43705D3DBDC701BF9698DA3D35EACBBDA10FE83E5217E23E93A9943ECB75ED3E8A7815BF295316BD63A7CBBD0358ABBEA073A73E9D70E1BDFF9AACBEA45EBCBDD9827F3DB6F08E3E7E313C3EA659DE3E3C18143FA51AB1BED9AA8EBE2F44373EEE67A03EB7FC003E8B8A8BBE01EB84BFC9A738BEE67E143FF765403FAA700D3F1E49DCBE7FCD033E49DA89BDB5C2983D64F9E83E623D123C43F3E23DB66A713F8FBFC73E311FE73D9593D3BE"> : tensor<3x3x1x18xf32>
    %cst_14 = stablehlo.constant dense<[-0.148456901, 0.228531837, 0.019926412, 0.115641572, -0.0495537445, -0.112297975, 0.0722341761, -0.079803951, -0.0498327315, -0.0572249405, 0.118535653, 0.0341672935, -0.144664571, -0.0095225051, -0.104596213, -0.0350737609, -0.0107681118, 0.0291550495]> : tensor<18xf32>
    %cst_15 = stablehlo.constant dense<"0x88FB333E0ECDFC3EB4F5B7BEEC9587BE5C389C3E9FF92A3FCA43BFBC5D5A893E0FE0CF3DCAEE7EBEDEB7113F284BB9BD30CE94BDB1D8203E867DFE3DB4FD5C3B3F14063FC859E73E7C02A1BE8E5CB93C0691D7BE4B00DCBE7057A93ED09833BEF7BAB4BE08F66BBEBA2D23BFAF6AF43EB2DDD3BE5017DBBE80031A3F8BE457BED41623BF5D109FBEC748803FAE6249BDE8E6A3BD2E653EBE9C84923EF3012C3EC4CA07BDFA6F0F3F4FB3EF3DCAE05FBF8700D13DF3B6D2BDF42207BE4645083F73816B3E22A1E13D6C642C3BABFD593F31AD913D6C5756BEC297E3BDA750AF3D37E466BE5A101EBE3A770E3E4CA9873EBA69723E34DD0EBF805CE73E6AF9163FCE8891BE0209E9BEACB26E3EFE458D3E12FE2D3F47947E3EEA0F253F4C7221BE6230E13E03BE5F3DAFE1183FD675EE3D1BF3B5BEF878793D4428B53ED2023ABD517A9B3E2F4B9EBE2F0F01BFD421033DD362EDBDE00652BDC812B53E6C6EE63E0CE2063E8F6DCA3CA21AA93EEB803CBE0C612CBF8E1EF1BE52CA093DA47B1A3E20C1A3BE7805A0BD53ED1BBEE40D353EA2F93A3EA416F93E0B43C63E0FA93DBDDAB194BE6728273FA4F9A73D466D12BF"> : tensor<1x1x18x6xf32>
    %cst_16 = stablehlo.constant dense<[0.0328693502, -0.0940493419, -0.0471785702, -0.0324560814, -0.0283038151, 0.0594583154]> : tensor<6xf32>
    %cst_17 = stablehlo.constant dense<[[[[-0.0836236178, -0.485293657, -0.701121807, 1.56412458, -0.716591179, -0.160073966, 0.142923564, 0.265918583, 0.619186878, 0.0237012096, -0.671050488, -0.104752064, -0.54949218, 0.07435745, 0.802625775, -0.847115099], [0.380397588, 0.756922483, -0.671228766, -0.40383333, -0.201937944, -0.400126249, 0.171530485, 0.283458829, 0.373872489, 0.635255515, 0.258250266, 0.200871646, 0.603476822, 0.328171432, 0.233404055, 0.381679177], [-0.801406204, 0.859276831, 0.671315312, -0.0410701968, -0.811935425, 0.516946852, -0.743149638, 5.838040e-01, 0.0830806568, -0.42049244, 0.836744666, 1.02433848, -0.566217661, 0.0351196676, 0.0337501839, 0.613134801], [-0.151910231, -0.122874074, 0.432009071, -0.038771186, -0.752693772, -0.100248948, -0.370693773, -0.609345376, -0.13627544, 0.288470447, 0.0546031781, -1.00182688, 2.710060e-01, 1.284050e-01, 0.509026647, -0.752241731], [0.394505322, -0.631031036, -0.0628063157, -0.825718045, 0.823863089, 6.552240e-02, -0.218311593, 0.519700348, 0.0476882048, 0.764097094, -0.429508239, -5.768730e-01, 0.422860026, -0.32404989, -0.384971946, -0.2191488], [0.295282364, -0.15620777, -0.0653405413, -1.17875624, -0.348861307, -0.802475035, -0.328081757, -0.445305556, 0.828053116, -0.602017283, 0.571845829, -0.532845318, 1.72442758, 0.488731056, -0.291577429, 0.492691696]]]]> : tensor<1x1x6x16xf32>
    %cst_18 = stablehlo.constant dense<[-0.0141032515, 0.0558169484, 0.122016184, -0.124100864, -0.0468094721, 0.135237977, -0.0745220408, 0.0800430476, 0.0551953092, 0.0731023103, 0.0323626511, 0.121344164, 0.194034949, -0.106948428, -0.0338838808, -0.0769310817]> : tensor<16xf32>
    %cst_19 = stablehlo.constant dense<[[0.468262017, -0.397177219, -0.200976297, -0.113485381, -2.620880e-01], [0.256995827, -0.329553455, -0.0345515609, -0.851572096, 0.407615602], [-0.0242796838, 0.0792871267, -0.454251111, -0.23189187, -0.557328284], [0.0485622138, -0.0834148898, 0.43492204, 0.00270431791, -0.108192474], [0.256420881, 0.208190441, -0.0216881465, -0.80031681, -0.481308937], [-0.207990289, 0.513418913, 0.166779086, 0.399419874, -0.0246276315], [-0.400991768, 0.0444500037, 0.368956804, 0.610319495, -0.307023972], [0.156716898, -0.355676711, -0.101000197, -0.195392579, -0.231744677], [0.609789788, 0.564935446, 0.27971223, 0.115048103, -0.726475835], [-0.274352938, 0.212026566, 0.218502894, -0.0762347952, 0.634054481], [0.185076192, -0.201262727, -0.325704277, -0.124704264, 0.11751435], [0.218310073, -0.00198356435, -0.246701181, 3.258330e-01, -0.115584694], [0.454943329, 0.163911119, -0.233108699, -0.120912924, -0.235406965], [0.578287661, 0.23075743, 0.485638499, 0.310861886, -0.096210137], [0.497897565, -0.27380535, -0.226613715, -0.377657503, 0.0566091761], [0.433454186, -0.0812135488, -0.262261361, 0.139531016, -0.0422190428]]> : tensor<16x5xf32>
    %cst_20 = stablehlo.constant dense<[0.0804884955, -0.109179877, 7.004400e-02, 7.75049266E-4, -0.0123007121]> : tensor<5xf32>
    %0 = stablehlo.convolution(%arg0, %cst) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x16x16x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x8x8x4xf32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
    %3 = stablehlo.add %0, %2 : tensor<1x8x8x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_21 = stablehlo.constant dense<6> : tensor<i32>
    %4 = call @clip(%3, %c, %c_21) : (tensor<1x8x8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x4xf32>
    %5 = stablehlo.convolution(%4, %cst_1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x4xf32>, tensor<3x3x1x4xf32>) -> tensor<1x8x8x4xf32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
    %8 = stablehlo.add %5, %7 : tensor<1x8x8x4xf32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %c_23 = stablehlo.constant dense<6> : tensor<i32>
    %9 = call @clip(%8, %c_22, %c_23) : (tensor<1x8x8x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x4xf32>
    %10 = stablehlo.convolution(%9, %cst_3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x8x8x4xf32>
    %11 = stablehlo.broadcast_in_dim %cst_4, dims = [3] : (tensor<4xf32>) -> tensor<1x1x1x4xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xf32>) -> tensor<1x8x8x4xf32>
    %13 = stablehlo.add %10, %12 : tensor<1x8x8x4xf32>
    %14 = stablehlo.convolution(%13, %cst_5) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x4xf32>, tensor<1x1x4x12xf32>) -> tensor<1x8x8x12xf32>
    %15 = stablehlo.broadcast_in_dim %cst_6, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<1x1x1x12xf32>) -> tensor<1x8x8x12xf32>
    %17 = stablehlo.add %14, %16 : tensor<1x8x8x12xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %c_25 = stablehlo.constant dense<6> : tensor<i32>
    %18 = call @clip_0(%17, %c_24, %c_25) : (tensor<1x8x8x12xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8x12xf32>
    %19 = stablehlo.convolution(%18, %cst_7) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 12 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x8x8x12xf32>, tensor<3x3x1x12xf32>) -> tensor<1x4x4x12xf32>
    %20 = stablehlo.broadcast_in_dim %cst_8, dims = [3] : (tensor<12xf32>) -> tensor<1x1x1x12xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<1x1x1x12xf32>) -> tensor<1x4x4x12xf32>
    %22 = stablehlo.add %19, %21 : tensor<1x4x4x12xf32>
    %c_26 = stablehlo.constant dense<0> : tensor<i32>
    %c_27 = stablehlo.constant dense<6> : tensor<i32>
    %23 = call @clip_1(%22, %c_26, %c_27) : (tensor<1x4x4x12xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4x12xf32>
    %24 = stablehlo.convolution(%23, %cst_9) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x12xf32>, tensor<1x1x12x6xf32>) -> tensor<1x4x4x6xf32>
    %25 = stablehlo.broadcast_in_dim %cst_10, dims = [3] : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<1x4x4x6xf32>
    %27 = stablehlo.add %24, %26 : tensor<1x4x4x6xf32>
    %28 = stablehlo.convolution(%27, %cst_11) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x6xf32>, tensor<1x1x6x18xf32>) -> tensor<1x4x4x18xf32>
    %29 = stablehlo.broadcast_in_dim %cst_12, dims = [3] : (tensor<18xf32>) -> tensor<1x1x1x18xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<1x1x1x18xf32>) -> tensor<1x4x4x18xf32>
    %31 = stablehlo.add %28, %30 : tensor<1x4x4x18xf32>
    %c_28 = stablehlo.constant dense<0> : tensor<i32>
    %c_29 = stablehlo.constant dense<6> : tensor<i32>
    %32 = call @clip_2(%31, %c_28, %c_29) : (tensor<1x4x4x18xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4x18xf32>
    %33 = stablehlo.convolution(%32, %cst_13) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 18 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x18xf32>, tensor<3x3x1x18xf32>) -> tensor<1x4x4x18xf32>
    %34 = stablehlo.broadcast_in_dim %cst_14, dims = [3] : (tensor<18xf32>) -> tensor<1x1x1x18xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<1x1x1x18xf32>) -> tensor<1x4x4x18xf32>
    %36 = stablehlo.add %33, %35 : tensor<1x4x4x18xf32>
    %c_30 = stablehlo.constant dense<0> : tensor<i32>
    %c_31 = stablehlo.constant dense<6> : tensor<i32>
    %37 = call @clip_2(%36, %c_30, %c_31) : (tensor<1x4x4x18xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4x18xf32>
    %38 = stablehlo.convolution(%37, %cst_15) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x18xf32>, tensor<1x1x18x6xf32>) -> tensor<1x4x4x6xf32>
    %39 = stablehlo.broadcast_in_dim %cst_16, dims = [3] : (tensor<6xf32>) -> tensor<1x1x1x6xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<1x1x1x6xf32>) -> tensor<1x4x4x6xf32>
    %41 = stablehlo.add %38, %40 : tensor<1x4x4x6xf32>
    %42 = stablehlo.add %27, %41 : tensor<1x4x4x6xf32>
    %43 = stablehlo.convolution(%42, %cst_17) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x4x6xf32>, tensor<1x1x6x16xf32>) -> tensor<1x4x4x16xf32>
    %44 = stablehlo.broadcast_in_dim %cst_18, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<1x4x4x16xf32>
    %46 = stablehlo.add %43, %45 : tensor<1x4x4x16xf32>
    %c_32 = stablehlo.constant dense<0> : tensor<i32>
    %c_33 = stablehlo.constant dense<6> : tensor<i32>
    %47 = call @clip_3(%46, %c_32, %c_33) : (tensor<1x4x4x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4x16xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_34) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x4x4x16xf32>, tensor<f32>) -> tensor<1x16xf32>
    %cst_35 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<1x16xf32>
    %50 = stablehlo.divide %48, %49 : tensor<1x16xf32>
    %51 = stablehlo.dot_general %50, %cst_19, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x16xf32>, tensor<16x5xf32>) -> tensor<1x5xf32>
    %52 = stablehlo.broadcast_in_dim %cst_20, dims = [1] : (tensor<5xf32>) -> tensor<1x5xf32>
    %53 = stablehlo.add %51, %52 : tensor<1x5xf32>
    return %53 : tensor<1x5xf32>
  }
  func.func private @clip(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x8x8x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x8x8x4xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x8x8x4xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x8x8x4xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x8x8x4xf32>
    return %5 : tensor<1x8x8x4xf32>
  }
  func.func private @clip_0(%arg0: tensor<1x8x8x12xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x8x8x12xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x8x8x12xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x8x8x12xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x8x8x12xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x8x8x12xf32>
    return %5 : tensor<1x8x8x12xf32>
  }
  func.func private @clip_1(%arg0: tensor<1x4x4x12xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x4x4x12xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x4x4x12xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x4x4x12xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x4x4x12xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x4x4x12xf32>
    return %5 : tensor<1x4x4x12xf32>
  }
  func.func private @clip_2(%arg0: tensor<1x4x4x18xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x4x4x18xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x4x4x18xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x4x4x18xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x4x4x18xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x4x4x18xf32>
    return %5 : tensor<1x4x4x18xf32>
  }
  func.func private @clip_3(%arg0: tensor<1x4x4x16xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x4x4x16xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x4x4x16xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x4x4x16xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x4x4x16xf32>
    return %5 : tensor<1x4x4x16xf32>
  }
}
