module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x6x16xf32>) -> (tensor<1x6x16xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<"0x1DDBEEE51FFD02FFFC211DD71AE128D8DEDCC10FEFDE2400E830EF01D9F4C808FFE8FFD604F7251EFBFF00FBFF2C261C072C2CF3EE2BF6C117DAC1E0D31CC1FA0BDA26310E1FF721EED905C11FF1CADF120A37C31DEB2B15EDED120230E405FA142B1520EA13F8E00303D11026FC162A2C19D607C103E2E9D33FFBF1D61BEFE6EE3FF03FD50109C9FE16E2261F1C1DED3F050C02213FF6F0FB1819241C041CEB1DFE24F4C4CFDB2A2703F80612C1C83F34C7010738FFE9E2C60DF015C112EEF0E5F6F2EE1626D60C3FDEFAD33626DBEE2AD7051417F0201CFFECD70801FCCC0CE12627F30422D11C03141F121E22230AF716F5F2E9F73FF905FBFB09F30BE8D1"> : tensor<16x16xi8>
    %cst = stablehlo.constant dense<[8.40915599E-4, 8.29568714E-4, 5.17116569E-4, 6.54030126E-4, 4.27746854E-4, 6.28171605E-4, 7.767640e-04, 6.71082642E-4, 9.80794662E-4, 7.95365369E-4, 5.86263137E-4, 7.24600919E-4, 6.49145455E-4, 6.12366595E-4, 6.051042E-4, 5.32545557E-4]> : tensor<16xf32>
    %cst_0 = stablehlo.constant dense<[0.0282266624, -0.164740086, 0.136118919, -0.0131577598, 0.0438636914, 0.0397034809, -0.00968338083, 0.0535271652, -3.404380e-02, 0.119349979, 0.0884482414, -0.0953100398, 0.067732513, 0.110018253, 0.198867634, 0.0934969261]> : tensor<16xf32>
    %c_1 = stablehlo.constant dense<"0xF00721EE29023F360835EC02131C02093FE3E6C13FF9FFFE0707FEF6D406F3DEE2ED29F1F3FD200703D6FADC11EA1608E2DF2B0017C1041C0CE83005E9DFE71AE4F805FD0D2C102005390C2EF9DED32813D6C1E6EDFD1DFEEB3AFDE6E2DBCF10D8EE1E2EFA392ACCF2E003E73F02E7F400E42824DAD72FE4F2E3F91128EE12EF18C427171E05F9EF063F10F5F91CF0C1FEF20C0D070C233FDBF71924DAFA3F2BCEFDF7F206F705130FE4C1C11DFEFB0CE8F50E05F50220CCF2D821F708FE1AEEFA3F3B29E1E1E2DDFAE714FD17C1EECF291717E5D33ADDE9FD37E10AF9F7F831C4F0CBFCD000DDFF3F3AFBDD2615D63718E6DD07C7E0EC1E0DC8F7EE14EEF8DF"> : tensor<16x16xi8>
    %cst_2 = stablehlo.constant dense<[8.46746959E-4, 6.67540124E-4, 6.92074362E-4, 8.98387399E-4, 5.53822319E-4, 5.1344512E-4, 6.68674766E-4, 8.03166709E-4, 0.00120369601, 5.71230194E-4, 8.69746319E-4, 7.16666866E-4, 6.3037721E-4, 8.29889206E-4, 7.01403944E-4, 8.37755156E-4]> : tensor<16xf32>
    %cst_3 = stablehlo.constant dense<[-0.0359181128, -0.0428612195, 6.03468579E-5, 0.0349551961, 0.0787775442, -0.0221945699, 0.081955932, -0.0332723744, 0.0295094009, -0.0878945514, -0.166532382, -0.0435750484, -0.195490077, 0.00673394511, -0.225596949, 0.00654034084]> : tensor<16xf32>
    %c_4 = stablehlo.constant dense<"0x1E0007F4E0E73AF3E00CE6E3C1F8100B1804EDE81CF2C1E8C1C10406E4D305F1DBFFF11E24F0E0C1F607310B0EF1CE34C1F5110BFCF9122AD3042D2FF208CB38EF27FA1025E81CF6E90A3F05043FFA16EDE8F9E213EB1139D2FEFDE4F8EF1CFBFD0FE9F111C711F5F2072201ECF7123EFC3500F0C10D20D3D601020FFB3E342DECEA0D03CC07FA2A280B1BE2FEFAEC13FBE4FC031D0C1B36E1F50B1007F0C1F51B3F19E90DFC052A0104381406E8D63F042EF6E423E7F1E73306D8FEE5F7FD080C3BE9EC2D3FFE230DF22FF9FA0D0B002336EC02C2D71DE9D3F3CB22E0DD34EFD5DB3FFCF4EE1A16FC1F0AC108F8F52C0F0D003F0AECF60BE3F80C1312D32731"> : tensor<16x16xi8>
    %cst_5 = stablehlo.constant dense<[9.90170636E-4, 5.59193315E-4, 0.00105457916, 8.96012585E-4, 4.53069137E-4, 7.02762452E-4, 7.43389711E-4, 5.02742419E-4, 5.18345507E-4, 0.00121278164, 7.94674153E-4, 9.2021079E-4, 8.67322495E-4, 8.21253866E-4, 7.7263522E-4, 8.01569491E-4]> : tensor<16xf32>
    %cst_6 = stablehlo.constant dense<[-0.0852740556, -0.136544049, 0.0699310377, 0.0827773809, 0.203897402, 0.0745837539, 0.193432212, -0.0472987704, 0.131946668, 0.0163873713, 0.179158092, 0.034930706, -0.10661111, 0.0182719138, 0.10614685, -0.0136238532]> : tensor<16xf32>
    %c_7 = stablehlo.constant dense<"0x24D8C103EEFC2F3D0D021AF3C1CE021BDAF6ED101C2233FAE33706D70ADFF6EDF51AFAE6C13FC9F3080D1C01DCFAEC0838C11B29C4F0F1E10A0E111A0E0C1621101CC62E3CFEC229D61C04EF2D3FEB04022EF5F927FEC6F8EBE3FA0C03C20A0D23C81CDEFADF3F05F419021FE9DD0FDFE5F015F8FAD1E5C1EDEB26E71FDF3F32EC25FA113FE3EB3DE8160E110A2B29C1F2DF37DDE3F9DF21E1FDC11BFE08E5D9C106F62600F9201BFEC1DCF22D1118FCD3052B36D30AD4F3EEEE2D26190CD5D2181BF7381BF3D7F00B1100EF1DF41B1BE6F1E433222027F42EEAEFE7052CFBD410FB22DE2400FBF8C103F203E7ED1629EF0D373FF8FC12141E1EF2C1151DF2D6"> : tensor<16x16xi8>
    %cst_8 = stablehlo.constant dense<[5.529050e-04, 5.14632906E-4, 5.30475168E-4, 7.12947687E-4, 4.27968596E-4, 9.502250e-04, 5.005070e-04, 4.87513462E-4, 6.72749825E-4, 7.93965068E-4, 8.44813592E-4, 9.31808957E-4, 7.08533393E-4, 6.22298277E-4, 0.001047611, 3.75118805E-4]> : tensor<16xf32>
    %cst_9 = stablehlo.constant dense<[-0.0654235482, -0.149925068, -0.0407547913, -0.0198510569, -0.0846232473, 0.128764942, 0.0276026279, 0.043300502, 0.157821417, 0.00695480034, 0.0460818596, 0.116385035, -0.207632169, -0.128945857, 0.0383240096, -0.0629773214]> : tensor<16xf32>
    %cst_10 = stablehlo.constant dense<[1.22964847, 1.04779685, 1.16249156, 1.18179166, 1.04988086, 1.05656147, 0.96893531, 1.07790768, 0.969815194, 0.919032752, 0.977877676, 1.11589921, 0.939088881, 1.07173324, 0.979353427, 0.96405065]> : tensor<16xf32>
    %cst_11 = stablehlo.constant dense<[0.156310603, 0.02368466, -0.00460141245, -0.0152696837, 0.0257642623, -0.0885522291, -0.0508009978, -0.00286206952, 0.0143086789, -0.0606251657, -0.055855561, 0.0518930927, 0.0113495151, -0.113870278, -0.00946202501, -0.0899967774]> : tensor<16xf32>
    %c_12 = stablehlo.constant dense<"0xC10DF019CCF9E21B1914FC0FF11CE4F0261019DC051BFCDBEEDA232F14E1E2FDC112DEEC3838ECF5FAC72DEEE6FFF80FC8EF0CD6DBC103F0E7F8D4DA0F01DA0A21EAF422D802F0E7DDEA3FE5D92BDCEBD3FA0523061A211D210413DF0ACBD2F7EA13FD092E34D2D2FF1AE521F9FEE906C108F6C70C1E2D101AF11A1912F812FAF4EEC125151DC116F0EC0DF8C40E3F1F31180AED17252A0E18EF20C63FFDF300FBEA18F0ECDCDEE4E9DFF33402E10AEAF60014D609D31810D60420371EC1FF1901E5FFE8F20DF5F8CB3BE0D407002E180CF70D27FCFD2104D0E5360CE83908C8F7EF0D16D1252308F5F8C60AEBEC3FEB2DC1090019E6C1170B2603F514C209F5E3F0D428DD2507F43FDDD5CBFDEA3326F63FE41E3FF00C0702FBC13AC9F822DE270D2122E12AC13CEBD3F2FDE40D0AEEE9FFF4F7C1181208C5231B3DF9203F390709EDC928150AF302D9D02B3E13F6EE27EA09EFF5EEDD0710C104E530E51EED12EFC1F7153FE93F0CF43FDB3FCBF6F82EFB083FCFF2D90D1B1C122716EFF531E107DD040B32F6230104FDD90510EE2E01F6D13FF6F3F32D11FF29E71B1FF7012B06C7DE2107FCE629DFDB0305E20620D9D5191C34E419F6F73F1FCD14FBFEE0F7FB07F5DDE738010512E3D63F001AD8C70AC1DEFE39F20F0C1FF5160225F6F104D4D3EFE40BD509EC06F43F113B0BF50DE9210DF3FF00FAE5291401EFDB01F01ADB1ADEE316DBF4E910E502EAC1FFCEED05CF1C1CE500E6E80AEA250BF4241200F5EB1218C31FF00CEE072108DA160B08F23212D9DDE603D31C1A321D3524FA13140BEF01160F01F136E00CDAE7130B080BD5DAE3C122052C1EEF1B2D2C2A3327EEF1F50200E0EB15E4E8FFDDE503F90C0018D2DD09D8E8E5F22C0F0CD1C12A300D180F101820F5F420D90811DE1EF1C103DC0BD7F0F71E34D5D2FE04F40000EBD8131728FFD0053325D1DFE92008E6F9EF1A1B35E4C7F4C1D63C01D40FF9EB1FDD0227E9EE173FDFFAE6FDE3EC0CCCC8FEE807EAF0FCFF3FECFBC122FA22C1D2002A3FE62003FDD4F0EEF029E30A13171BCBFF0613F63FF609E3D9E3E731250FC1F0DF3DF01AFCCBC1ECF5DFF6EA0509F628EEE4FEC10833C506F809083FD617C10301C11434D9EFF7F6F8E5C101F90DE03FDBFAFD0AFD06F212190123DF3FF60AEDD8C1C13DFC080B03C1000EF7DC0408FDFB0808F5C1FBFBE9E609C10632C3E7272837FFF2FEFD2A211C151EF53F05DF09E31D000700E5FDF0D3C1C8E4F10CF7F3F210E9F4EFCE0A1B2501050F3F03E81213F9D823EBDB04153BF9F40AE71B1B03F41927EAE30C17F705D2E005182D0D02F00D15290BF3D3C1FFCE17CDEC0FEC0F3F120A0403CA18E616062B36D9EAF73A2EFD1EF0DEDEF8171307FBECECC8191BFBD4F8152EC1C125F6E1DDF81FCEF421FEE40600F9091CFAC1320F1CF2"> : tensor<16x64xi8>
    %cst_13 = stablehlo.constant dense<[0.00107940356, 0.00106931292, 8.08174547E-4, 5.42761118E-4, 5.60682674E-4, 0.00110914023, 6.49521243E-4, 0.00105293142, 5.8661279E-4, 6.05596928E-4, 7.88156234E-4, 4.78758506E-4, 9.41665669E-4, 8.59714811E-4, 5.72014251E-4, 5.8035343E-4, 5.64649294E-4, 9.86477127E-4, 5.83412359E-4, 6.90969871E-4, 7.72892323E-4, 6.472700e-04, 6.669992E-4, 7.68254919E-4, 6.78121811E-4, 8.41988832E-4, 9.06990783E-4, 6.53311377E-4, 6.8551657E-4, 5.35750296E-4, 6.06622198E-4, 4.97761415E-4, 5.07533434E-4, 6.74017705E-4, 8.30504752E-4, 8.68464762E-4, 3.58242425E-4, 7.20974815E-4, 6.49376423E-4, 6.73451344E-4, 7.26443541E-4, 6.92522794E-4, 6.82615558E-4, 5.96281374E-4, 0.00111205934, 4.33620968E-4, 0.00111151708, 9.5608487E-4, 8.01269663E-4, 9.05460212E-4, 3.96877091E-4, 5.39200846E-4, 8.74683668E-4, 7.30038912E-4, 0.00104302377, 9.78101859E-4, 5.78509935E-4, 8.01394403E-4, 7.73912761E-4, 5.24928968E-4, 8.59132385E-4, 4.74733621E-4, 6.63814077E-4, 6.17246609E-4]> : tensor<64xf32>
    %cst_14 = stablehlo.constant dense<[0.0696857125, -2.044730e-01, -0.00521781761, 0.209188804, -0.00445063366, 0.133726195, -0.0030478742, 0.194369644, -0.0406541601, -0.0397964716, 0.0884875208, 0.0122392941, -0.0681527629, 1.722270e-02, 0.20967491, 0.0299526509, 0.0145494808, -0.0088789016, 0.019570047, -0.144445837, -0.100628056, -0.122472323, 0.0261956956, 0.101778798, 0.08710137, 0.134444594, 0.125113279, 0.0543795191, 0.0139692323, -0.0119962171, 2.466890e-03, -0.0305706915, 0.189684868, 0.0538415499, 0.173282787, -0.0779075548, -0.0316050947, 0.119905271, 0.105671287, 0.144691631, 0.119844846, -0.0897394493, 0.0512410402, -0.133643016, 0.00664319191, 0.0384563841, 0.0464579239, -0.129957572, 0.0683810338, 0.114306606, 0.122251429, -0.150084078, 0.148465574, -0.0320451036, 0.079117529, 0.0287118014, 0.0538664423, 5.169930e-02, 0.036904674, -0.0453976579, 0.10343384, 0.154630616, 0.175370529, 0.0639236718]> : tensor<64xf32>
    %c_15 = stablehlo.constant dense<"0x101B1A1901FE1601FAF6C11EFDE90706D9E8D50924011318F00B130B01E22E021611FB24EDF1160FE0FFFF30F5D00F0514F8041CF7F912CFF7FF2BDF1D1DFA1F1DF913E118FDEF073F1224F12026E0DF0CF705FCF9FCE0CB1504022B09DDDE0FCBF1000E0E1416F0E301301901303A320C02E0FE260D05EF3EEE03EC0CE2091C07F1F1FFF029151DE3DCDCE3EAE8EE3002F4F30810EC3F0A1412E4E8021AECD114F50BE220EEF30F03100E0F2D0FF2F1F8EC161917FA0CFA26EB07F7FCE9E8FFF50625F331EB15F8F8F00B0C04EC0DF5D91CE901F10DEBF701F934E8FE2001E6F82002F5EBC1F920F002012DC9F20603ED0B26C1E1EE0A20210D1F00E3C1DC03F0F3F3D9082C1EF500E9D7FE0012180CFCF5042BE5FCCF1A20E3F6EB1A160CD2E8EFF301E4E4FBE71919E0F3DBF1FB01F703E72E0BFE2C05DF2816E503EBF63908EE0D13150D16EC07E903161F1319F200C1DD0F31F6FFE710EA0BF60F10330F1207F704DD020407EEFD11F90CE83705E80005FFF7E1F0F1EBFFFDEBF2FDDC301C022118EF100FF5F70005E8F4EBEFDC1701FF10092C2205F61BEC13FE09111EFE04F8CFF3080CDBF8FAE9FA1916C1F21506110F19D4F3E9FC0DE0ED371426EF08E1FF04ED33F313D11601032EFD1AF0E60C23EDF9FFC53FFE0202010FF1EB052FFD0E16C1F4F314F801EB29E5181CF921FBC1EFEE01F214033FD13F0CD5E816E5EBF90E051306C61A090A06DBD236F103F8D202102D27FC2CFE18FB0414CAED21013309FB110412EEFB01E231233A09E7E303E7EA0BEF23F3F41BF917FF0A1A23FC15020A170E20D5FEF8EBF708E234000001F5DE102502E10029EC110B2DE7D8E920030C0204102B09E5EF030BDB02EBFFFFF9201BE50704FDFF173016F0031319FA181304FCD4EADAF8F1F01AE5203F010A1102C51C2BDDF50A31E90D100AFEEEFE0319ECDA1E05F0F4E0241DC93FDB00061638F904F5E7F41411DC0F2C03EB030209F3D801F604F600F3D9FBEBE3FBF307060C0029FF05F5170F131E2D1C10F21FFDED0BE309EE09F5EBFD2E0BEED21AE2F700E402FCCE1EF5E10AE617D916F3FBEAF80D102808F3F400F5E62A000600F9062C10FEFED618F9E1EBF31005DCF4F6FBEEE0E2F8F20500E43000030D1AFF1EEFF2161210D4013106E5F50AF4FFDFD32D16EE241B1FDF04E40BF31808FEF800090B1D090816F2140101EEE1EEEAFAF4DE110CDA19FBFFE7011103CBD0FBF6160601E00719E9121011EE2B150C060408E921D20D1F0FEEFFCACB071E140A00171B0E1CF8ED1AEA07112FE7D4DFF502F50111F9E7D112EA2203350101F4DDF419EBC50CF6090E03F9EF052BF826F405FEDEFBE5D9FF210404080512F9111806FD172306FBFAE7F51AFDFFF91EDEFE1CF01115D7EFF20D210AF7DCE8E2F3CD21DC05021B2B10F7E0FFD73FFA1701"> : tensor<64x16xi8>
    %cst_16 = stablehlo.constant dense<[4.85009805E-4, 5.87261748E-4, 4.89919679E-4, 5.26989752E-4, 4.92586638E-4, 4.61013202E-4, 4.08859109E-4, 4.92815394E-4, 4.35996684E-4, 5.45520335E-4, 4.94153821E-4, 4.94331296E-4, 4.01952857E-4, 4.70442203E-4, 3.2052875E-4, 4.41202545E-4]> : tensor<16xf32>
    %cst_17 = stablehlo.constant dense<[0.0720012933, -0.124225453, -0.0500807427, -0.11961583, 0.200174212, -0.0133059276, 0.0333634727, -0.0895883962, -0.0844484195, -0.0448323749, -0.0489451699, -0.183548197, 0.120782793, 0.0841047391, 0.0150213065, -0.110774472]> : tensor<16xf32>
    %cst_18 = stablehlo.constant dense<[0.804362475, 0.804286658, 0.85234338, 1.03049827, 1.01391935, 1.0711236, 0.920113802, 0.852088034, 1.0358485, 1.05035138, 0.859502315, 1.00396085, 1.06716132, 0.949741184, 1.15050232, 0.998608946]> : tensor<16xf32>
    %cst_19 = stablehlo.constant dense<[0.0155391619, 0.0646961182, -0.154068589, -0.0295613557, -0.05550275, -0.0338942073, 0.0445900187, -0.108682707, 0.0227970686, -0.00635434408, 0.0842033848, 0.080130659, -0.0610307045, 0.0130233197, -6.08113245E-4, -0.0133754481]> : tensor<16xf32>
    %cst_20 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1x6x16xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<1x6x16xf32>
    %2 = call @round(%1) : (tensor<1x6x16xf32>) -> tensor<1x6x16xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<1x6x16xf32>
    %4 = stablehlo.add %2, %3 : tensor<1x6x16xf32>
    %c_22 = stablehlo.constant dense<-128> : tensor<i32>
    %c_23 = stablehlo.constant dense<127> : tensor<i32>
    %5 = call @clip(%4, %c_22, %c_23) : (tensor<1x6x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6x16xf32>
    %6 = stablehlo.convert %5 : (tensor<1x6x16xf32>) -> tensor<1x6x16xi8>
    %7 = stablehlo.dot_general %6, %c, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x6x16xi8>, tensor<16x16xi8>) -> tensor<1x6x16xi32>
    %8 = stablehlo.convert %7 : (tensor<1x6x16xi32>) -> tensor<1x6x16xf32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %11 = stablehlo.multiply %8, %10 : tensor<1x6x16xf32>
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %14 = stablehlo.add %11, %13 : tensor<1x6x16xf32>
    %15 = stablehlo.dot_general %6, %c_1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x6x16xi8>, tensor<16x16xi8>) -> tensor<1x6x16xi32>
    %16 = stablehlo.convert %15 : (tensor<1x6x16xi32>) -> tensor<1x6x16xf32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %19 = stablehlo.multiply %16, %18 : tensor<1x6x16xf32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %22 = stablehlo.add %19, %21 : tensor<1x6x16xf32>
    %23 = stablehlo.dot_general %6, %c_4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x6x16xi8>, tensor<16x16xi8>) -> tensor<1x6x16xi32>
    %24 = stablehlo.convert %23 : (tensor<1x6x16xi32>) -> tensor<1x6x16xf32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %27 = stablehlo.multiply %24, %26 : tensor<1x6x16xf32>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %30 = stablehlo.add %27, %29 : tensor<1x6x16xf32>
    %31 = stablehlo.reshape %14 : (tensor<1x6x16xf32>) -> tensor<1x6x2x8xf32>
    %32 = stablehlo.reshape %22 : (tensor<1x6x16xf32>) -> tensor<1x6x2x8xf32>
    %33 = stablehlo.reshape %30 : (tensor<1x6x16xf32>) -> tensor<1x6x2x8xf32>
    %34 = stablehlo.reshape %31 : (tensor<1x6x2x8xf32>) -> tensor<1x6x2x1x8xf32>
    %35 = stablehlo.dot_general %34, %32, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x6x2x1x8xf32>, tensor<1x6x2x8xf32>) -> tensor<1x2x6x1x6xf32>
    %cst_24 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<1x2x6x1x6xf32>
    %37 = stablehlo.multiply %35, %36 : tensor<1x2x6x1x6xf32>
    %cst_25 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_25) applies stablehlo.maximum across dimensions = [4] : (tensor<1x2x6x1x6xf32>, tensor<f32>) -> tensor<1x2x6x1xf32>
    %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<1x2x6x1xf32>
    %40 = stablehlo.maximum %39, %38 : tensor<1x2x6x1xf32>
    %41 = stablehlo.transpose %40, dims = [3, 0, 1, 2] : (tensor<1x2x6x1xf32>) -> tensor<1x1x2x6xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x1x2x6xf32>) -> tensor<1x1x2x6x1xf32>
    %43 = stablehlo.transpose %37, dims = [3, 0, 1, 2, 4] : (tensor<1x2x6x1x6xf32>) -> tensor<1x1x2x6x6xf32>
    %44 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3, 4] : (tensor<1x1x2x6x1xf32>) -> tensor<1x1x2x6x6xf32>
    %45 = stablehlo.subtract %43, %44 : tensor<1x1x2x6x6xf32>
    %46 = stablehlo.exponential %45 : tensor<1x1x2x6x6xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_27) applies stablehlo.add across dimensions = [4] : (tensor<1x1x2x6x6xf32>, tensor<f32>) -> tensor<1x1x2x6xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<1x1x2x6xf32>) -> tensor<1x1x2x6x1xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3, 4] : (tensor<1x1x2x6x1xf32>) -> tensor<1x1x2x6x6xf32>
    %50 = stablehlo.divide %46, %49 : tensor<1x1x2x6x6xf32>
    %51 = stablehlo.dot_general %33, %50, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<1x6x2x8xf32>, tensor<1x1x2x6x6xf32>) -> tensor<1x2x8x1x6xf32>
    %52 = stablehlo.transpose %51, dims = [3, 0, 4, 1, 2] : (tensor<1x2x8x1x6xf32>) -> tensor<1x1x6x2x8xf32>
    %53 = stablehlo.transpose %52, dims = [1, 2, 3, 0, 4] : (tensor<1x1x6x2x8xf32>) -> tensor<1x6x2x1x8xf32>
    %54 = stablehlo.reshape %53 : (tensor<1x6x2x1x8xf32>) -> tensor<1x6x2x8xf32>
    %55 = stablehlo.reshape %54 : (tensor<1x6x2x8xf32>) -> tensor<1x6x16xf32>
    %cst_28 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<1x6x16xf32>
    %57 = stablehlo.multiply %55, %56 : tensor<1x6x16xf32>
    %58 = call @round(%57) : (tensor<1x6x16xf32>) -> tensor<1x6x16xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<1x6x16xf32>
    %60 = stablehlo.add %58, %59 : tensor<1x6x16xf32>
    %c_30 = stablehlo.constant dense<-128> : tensor<i32>
    %c_31 = stablehlo.constant dense<127> : tensor<i32>
    %61 = call @clip(%60, %c_30, %c_31) : (tensor<1x6x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6x16xf32>
    %62 = stablehlo.convert %61 : (tensor<1x6x16xf32>) -> tensor<1x6x16xi8>
    %63 = stablehlo.dot_general %62, %c_7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x6x16xi8>, tensor<16x16xi8>) -> tensor<1x6x16xi32>
    %64 = stablehlo.convert %63 : (tensor<1x6x16xi32>) -> tensor<1x6x16xf32>
    %65 = stablehlo.broadcast_in_dim %cst_8, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %67 = stablehlo.multiply %64, %66 : tensor<1x6x16xf32>
    %68 = stablehlo.broadcast_in_dim %cst_9, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %70 = stablehlo.add %67, %69 : tensor<1x6x16xf32>
    %71 = stablehlo.add %arg0, %70 : tensor<1x6x16xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.reduce(%71 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<1x6x16xf32>, tensor<f32>) -> tensor<1x6xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<1x6x1xf32>
    %cst_33 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<1x6x1xf32>
    %75 = stablehlo.divide %73, %74 : tensor<1x6x1xf32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0, 1, 2] : (tensor<1x6x1xf32>) -> tensor<1x6x16xf32>
    %77 = stablehlo.subtract %71, %76 : tensor<1x6x16xf32>
    %78 = stablehlo.multiply %77, %77 : tensor<1x6x16xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%78 init: %cst_34) applies stablehlo.add across dimensions = [2] : (tensor<1x6x16xf32>, tensor<f32>) -> tensor<1x6xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<1x6x1xf32>
    %cst_35 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<1x6x1xf32>
    %82 = stablehlo.divide %80, %81 : tensor<1x6x1xf32>
    %cst_36 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<1x6x1xf32>
    %84 = stablehlo.add %82, %83 : tensor<1x6x1xf32>
    %85 = stablehlo.rsqrt %84 : tensor<1x6x1xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2] : (tensor<1x6x1xf32>) -> tensor<1x6x16xf32>
    %87 = stablehlo.multiply %77, %86 : tensor<1x6x16xf32>
    %88 = stablehlo.broadcast_in_dim %cst_10, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %90 = stablehlo.multiply %87, %89 : tensor<1x6x16xf32>
    %91 = stablehlo.broadcast_in_dim %cst_11, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %93 = stablehlo.add %90, %92 : tensor<1x6x16xf32>
    %cst_37 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<1x6x16xf32>
    %95 = stablehlo.multiply %93, %94 : tensor<1x6x16xf32>
    %96 = call @round(%95) : (tensor<1x6x16xf32>) -> tensor<1x6x16xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<1x6x16xf32>
    %98 = stablehlo.add %96, %97 : tensor<1x6x16xf32>
    %c_39 = stablehlo.constant dense<-128> : tensor<i32>
    %c_40 = stablehlo.constant dense<127> : tensor<i32>
    %99 = call @clip(%98, %c_39, %c_40) : (tensor<1x6x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6x16xf32>
    %100 = stablehlo.convert %99 : (tensor<1x6x16xf32>) -> tensor<1x6x16xi8>
    %101 = stablehlo.dot_general %100, %c_12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x6x16xi8>, tensor<16x64xi8>) -> tensor<1x6x64xi32>
    %102 = stablehlo.convert %101 : (tensor<1x6x64xi32>) -> tensor<1x6x64xf32>
    %103 = stablehlo.broadcast_in_dim %cst_13, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<1x6x64xf32>
    %105 = stablehlo.multiply %102, %104 : tensor<1x6x64xf32>
    %106 = stablehlo.broadcast_in_dim %cst_14, dims = [2] : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<1x6x64xf32>
    %108 = stablehlo.add %105, %107 : tensor<1x6x64xf32>
    %cst_41 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<1x6x64xf32>
    %110 = stablehlo.multiply %108, %109 : tensor<1x6x64xf32>
    %111 = chlo.erf %110 : tensor<1x6x64xf32> -> tensor<1x6x64xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<1x6x64xf32>
    %113 = stablehlo.add %111, %112 : tensor<1x6x64xf32>
    %114 = stablehlo.multiply %108, %113 : tensor<1x6x64xf32>
    %cst_43 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<1x6x64xf32>
    %116 = stablehlo.multiply %114, %115 : tensor<1x6x64xf32>
    %cst_44 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<1x6x64xf32>
    %118 = stablehlo.multiply %116, %117 : tensor<1x6x64xf32>
    %119 = call @round_0(%118) : (tensor<1x6x64xf32>) -> tensor<1x6x64xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<1x6x64xf32>
    %121 = stablehlo.add %119, %120 : tensor<1x6x64xf32>
    %c_46 = stablehlo.constant dense<-128> : tensor<i32>
    %c_47 = stablehlo.constant dense<127> : tensor<i32>
    %122 = call @clip_1(%121, %c_46, %c_47) : (tensor<1x6x64xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6x64xf32>
    %123 = stablehlo.convert %122 : (tensor<1x6x64xf32>) -> tensor<1x6x64xi8>
    %124 = stablehlo.dot_general %123, %c_15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x6x64xi8>, tensor<64x16xi8>) -> tensor<1x6x16xi32>
    %125 = stablehlo.convert %124 : (tensor<1x6x16xi32>) -> tensor<1x6x16xf32>
    %126 = stablehlo.broadcast_in_dim %cst_16, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %128 = stablehlo.multiply %125, %127 : tensor<1x6x16xf32>
    %129 = stablehlo.broadcast_in_dim %cst_17, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %131 = stablehlo.add %128, %130 : tensor<1x6x16xf32>
    %132 = stablehlo.add %93, %131 : tensor<1x6x16xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %133 = stablehlo.reduce(%132 init: %cst_48) applies stablehlo.add across dimensions = [2] : (tensor<1x6x16xf32>, tensor<f32>) -> tensor<1x6xf32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<1x6x1xf32>
    %cst_49 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<1x6x1xf32>
    %136 = stablehlo.divide %134, %135 : tensor<1x6x1xf32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0, 1, 2] : (tensor<1x6x1xf32>) -> tensor<1x6x16xf32>
    %138 = stablehlo.subtract %132, %137 : tensor<1x6x16xf32>
    %139 = stablehlo.multiply %138, %138 : tensor<1x6x16xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.reduce(%139 init: %cst_50) applies stablehlo.add across dimensions = [2] : (tensor<1x6x16xf32>, tensor<f32>) -> tensor<1x6xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<1x6x1xf32>
    %cst_51 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<1x6x1xf32>
    %143 = stablehlo.divide %141, %142 : tensor<1x6x1xf32>
    %cst_52 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<1x6x1xf32>
    %145 = stablehlo.add %143, %144 : tensor<1x6x1xf32>
    %146 = stablehlo.rsqrt %145 : tensor<1x6x1xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0, 1, 2] : (tensor<1x6x1xf32>) -> tensor<1x6x16xf32>
    %148 = stablehlo.multiply %138, %147 : tensor<1x6x16xf32>
    %149 = stablehlo.broadcast_in_dim %cst_18, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %151 = stablehlo.multiply %148, %150 : tensor<1x6x16xf32>
    %152 = stablehlo.broadcast_in_dim %cst_19, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x6x16xf32>
    %154 = stablehlo.add %151, %153 : tensor<1x6x16xf32>
    return %154 : tensor<1x6x16xf32>
  }
  func.func private @round(%arg0: tensor<1x6x16xf32>) -> tensor<1x6x16xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<1x6x16xf32>
    return %0 : tensor<1x6x16xf32>
  }
  func.func private @clip(%arg0: tensor<1x6x16xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x6x16xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x6x16xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x6x16xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x6x16xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x6x16xf32>
    return %5 : tensor<1x6x16xf32>
  }
  func.func private @round_0(%arg0: tensor<1x6x64xf32>) -> tensor<1x6x64xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<1x6x64xf32>
    return %0 : tensor<1x6x64xf32>
  }
  func.func private @clip_1(%arg0: tensor<1x6x64xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x6x64xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x6x64xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x6x64xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x6x64xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x6x64xf32>
    return %5 : tensor<1x6x64xf32>
  }
}
