module @mobilenet {
  func.func @main(%0: tensor<1x224x224x3xi8>) -> tensor<1x1x1x1000xi8> {
    %weights0 = "tosa.const"() <{values = dense<1> : tensor<32x3x3x3xi8>}> : () -> tensor<32x3x3x3xi8>
    %bias0 = "tosa.const"() <{values = dense<0> : tensor<32xi32>}> : () -> tensor<32xi32>
    %1 = tosa.conv2d %0, %weights0, %bias0 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x224x224x3xi8>, tensor<32x3x3x3xi8>, tensor<32xi32>) -> tensor<1x112x112x32xi32>
    %2 = "tosa.rescale"(%1) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x112x112x32xi32>) -> tensor<1x112x112x32xi8>
    %weights1 = "tosa.const"() <{values = dense<1> : tensor<3x3x32x1xi8>}> : () -> tensor<3x3x32x1xi8>
    %bias1 = "tosa.const"() <{values = dense<0> : tensor<32xi32>}> : () -> tensor<32xi32>
    %3 = tosa.depthwise_conv2d %2, %weights1, %bias1 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x112x112x32xi8>, tensor<3x3x32x1xi8>, tensor<32xi32>) -> tensor<1x112x112x32xi32>
    %4 = "tosa.rescale"(%3) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x112x112x32xi32>) -> tensor<1x112x112x32xi8>
    %weights2 = "tosa.const"() <{values = dense<1> : tensor<16x1x1x32xi8>}> : () -> tensor<16x1x1x32xi8>
    %bias2 = "tosa.const"() <{values = dense<0> : tensor<16xi32>}> : () -> tensor<16xi32>
    %5 = tosa.conv2d %4, %weights2, %bias2 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x112x112x32xi8>, tensor<16x1x1x32xi8>, tensor<16xi32>) -> tensor<1x112x112x16xi32>
    %6 = "tosa.rescale"(%5) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x112x112x16xi32>) -> tensor<1x112x112x16xi8>
    %weights3 = "tosa.const"() <{values = dense<1> : tensor<96x1x1x16xi8>}> : () -> tensor<96x1x1x16xi8>
    %bias3 = "tosa.const"() <{values = dense<0> : tensor<96xi32>}> : () -> tensor<96xi32>
    %7 = tosa.conv2d %6, %weights3, %bias3 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x112x112x16xi8>, tensor<96x1x1x16xi8>, tensor<96xi32>) -> tensor<1x112x112x96xi32>
    %8 = "tosa.rescale"(%7) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x112x112x96xi32>) -> tensor<1x112x112x96xi8>
    %weights4 = "tosa.const"() <{values = dense<1> : tensor<3x3x96x1xi8>}> : () -> tensor<3x3x96x1xi8>
    %bias4 = "tosa.const"() <{values = dense<0> : tensor<96xi32>}> : () -> tensor<96xi32>
    %9 = tosa.depthwise_conv2d %8, %weights4, %bias4 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x112x112x96xi8>, tensor<3x3x96x1xi8>, tensor<96xi32>) -> tensor<1x56x56x96xi32>
    %10 = "tosa.rescale"(%9) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x56x56x96xi32>) -> tensor<1x56x56x96xi8>
    %weights5 = "tosa.const"() <{values = dense<1> : tensor<24x1x1x96xi8>}> : () -> tensor<24x1x1x96xi8>
    %bias5 = "tosa.const"() <{values = dense<0> : tensor<24xi32>}> : () -> tensor<24xi32>
    %11 = tosa.conv2d %10, %weights5, %bias5 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x56x56x96xi8>, tensor<24x1x1x96xi8>, tensor<24xi32>) -> tensor<1x56x56x24xi32>
    %12 = "tosa.rescale"(%11) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x56x56x24xi32>) -> tensor<1x56x56x24xi8>
    %weights6 = "tosa.const"() <{values = dense<1> : tensor<144x1x1x24xi8>}> : () -> tensor<144x1x1x24xi8>
    %bias6 = "tosa.const"() <{values = dense<0> : tensor<144xi32>}> : () -> tensor<144xi32>
    %13 = tosa.conv2d %12, %weights6, %bias6 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x56x56x24xi8>, tensor<144x1x1x24xi8>, tensor<144xi32>) -> tensor<1x56x56x144xi32>
    %14 = "tosa.rescale"(%13) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x56x56x144xi32>) -> tensor<1x56x56x144xi8>
    %weights7 = "tosa.const"() <{values = dense<1> : tensor<3x3x144x1xi8>}> : () -> tensor<3x3x144x1xi8>
    %bias7 = "tosa.const"() <{values = dense<0> : tensor<144xi32>}> : () -> tensor<144xi32>
    %15 = tosa.depthwise_conv2d %14, %weights7, %bias7 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x56x56x144xi8>, tensor<3x3x144x1xi8>, tensor<144xi32>) -> tensor<1x56x56x144xi32>
    %16 = "tosa.rescale"(%15) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x56x56x144xi32>) -> tensor<1x56x56x144xi8>
    %weights8 = "tosa.const"() <{values = dense<1> : tensor<24x1x1x144xi8>}> : () -> tensor<24x1x1x144xi8>
    %bias8 = "tosa.const"() <{values = dense<0> : tensor<24xi32>}> : () -> tensor<24xi32>
    %17 = tosa.conv2d %16, %weights8, %bias8 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x56x56x144xi8>, tensor<24x1x1x144xi8>, tensor<24xi32>) -> tensor<1x56x56x24xi32>
    %18 = "tosa.rescale"(%17) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x56x56x24xi32>) -> tensor<1x56x56x24xi8>
    %19 = tosa.add %18, %12 : (tensor<1x56x56x24xi8>, tensor<1x56x56x24xi8>) -> tensor<1x56x56x24xi8>
    %weights10 = "tosa.const"() <{values = dense<1> : tensor<144x1x1x24xi8>}> : () -> tensor<144x1x1x24xi8>
    %bias10 = "tosa.const"() <{values = dense<0> : tensor<144xi32>}> : () -> tensor<144xi32>
    %20 = tosa.conv2d %19, %weights10, %bias10 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x56x56x24xi8>, tensor<144x1x1x24xi8>, tensor<144xi32>) -> tensor<1x56x56x144xi32>
    %21 = "tosa.rescale"(%20) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x56x56x144xi32>) -> tensor<1x56x56x144xi8>
    %weights11 = "tosa.const"() <{values = dense<1> : tensor<3x3x144x1xi8>}> : () -> tensor<3x3x144x1xi8>
    %bias11 = "tosa.const"() <{values = dense<0> : tensor<144xi32>}> : () -> tensor<144xi32>
    %22 = tosa.depthwise_conv2d %21, %weights11, %bias11 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x56x56x144xi8>, tensor<3x3x144x1xi8>, tensor<144xi32>) -> tensor<1x28x28x144xi32>
    %23 = "tosa.rescale"(%22) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x28x28x144xi32>) -> tensor<1x28x28x144xi8>
    %weights12 = "tosa.const"() <{values = dense<1> : tensor<32x1x1x144xi8>}> : () -> tensor<32x1x1x144xi8>
    %bias12 = "tosa.const"() <{values = dense<0> : tensor<32xi32>}> : () -> tensor<32xi32>
    %24 = tosa.conv2d %23, %weights12, %bias12 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x28x28x144xi8>, tensor<32x1x1x144xi8>, tensor<32xi32>) -> tensor<1x28x28x32xi32>
    %25 = "tosa.rescale"(%24) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x28x28x32xi32>) -> tensor<1x28x28x32xi8>
    %weights13 = "tosa.const"() <{values = dense<1> : tensor<192x1x1x32xi8>}> : () -> tensor<192x1x1x32xi8>
    %bias13 = "tosa.const"() <{values = dense<0> : tensor<192xi32>}> : () -> tensor<192xi32>
    %26 = tosa.conv2d %25, %weights13, %bias13 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x28x28x32xi8>, tensor<192x1x1x32xi8>, tensor<192xi32>) -> tensor<1x28x28x192xi32>
    %27 = "tosa.rescale"(%26) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x28x28x192xi32>) -> tensor<1x28x28x192xi8>
    %weights14 = "tosa.const"() <{values = dense<1> : tensor<3x3x192x1xi8>}> : () -> tensor<3x3x192x1xi8>
    %bias14 = "tosa.const"() <{values = dense<0> : tensor<192xi32>}> : () -> tensor<192xi32>
    %28 = tosa.depthwise_conv2d %27, %weights14, %bias14 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x28x28x192xi8>, tensor<3x3x192x1xi8>, tensor<192xi32>) -> tensor<1x28x28x192xi32>
    %29 = "tosa.rescale"(%28) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x28x28x192xi32>) -> tensor<1x28x28x192xi8>
    %weights15 = "tosa.const"() <{values = dense<1> : tensor<32x1x1x192xi8>}> : () -> tensor<32x1x1x192xi8>
    %bias15 = "tosa.const"() <{values = dense<0> : tensor<32xi32>}> : () -> tensor<32xi32>
    %30 = tosa.conv2d %29, %weights15, %bias15 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x28x28x192xi8>, tensor<32x1x1x192xi8>, tensor<32xi32>) -> tensor<1x28x28x32xi32>
    %31 = "tosa.rescale"(%30) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x28x28x32xi32>) -> tensor<1x28x28x32xi8>
    %32 = tosa.add %31, %25 : (tensor<1x28x28x32xi8>, tensor<1x28x28x32xi8>) -> tensor<1x28x28x32xi8>
    %weights17 = "tosa.const"() <{values = dense<1> : tensor<192x1x1x32xi8>}> : () -> tensor<192x1x1x32xi8>
    %bias17 = "tosa.const"() <{values = dense<0> : tensor<192xi32>}> : () -> tensor<192xi32>
    %33 = tosa.conv2d %32, %weights17, %bias17 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x28x28x32xi8>, tensor<192x1x1x32xi8>, tensor<192xi32>) -> tensor<1x28x28x192xi32>
    %34 = "tosa.rescale"(%33) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x28x28x192xi32>) -> tensor<1x28x28x192xi8>
    %weights18 = "tosa.const"() <{values = dense<1> : tensor<3x3x192x1xi8>}> : () -> tensor<3x3x192x1xi8>
    %bias18 = "tosa.const"() <{values = dense<0> : tensor<192xi32>}> : () -> tensor<192xi32>
    %35 = tosa.depthwise_conv2d %34, %weights18, %bias18 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x28x28x192xi8>, tensor<3x3x192x1xi8>, tensor<192xi32>) -> tensor<1x28x28x192xi32>
    %36 = "tosa.rescale"(%35) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x28x28x192xi32>) -> tensor<1x28x28x192xi8>
    %weights19 = "tosa.const"() <{values = dense<1> : tensor<32x1x1x192xi8>}> : () -> tensor<32x1x1x192xi8>
    %bias19 = "tosa.const"() <{values = dense<0> : tensor<32xi32>}> : () -> tensor<32xi32>
    %37 = tosa.conv2d %36, %weights19, %bias19 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x28x28x192xi8>, tensor<32x1x1x192xi8>, tensor<32xi32>) -> tensor<1x28x28x32xi32>
    %38 = "tosa.rescale"(%37) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x28x28x32xi32>) -> tensor<1x28x28x32xi8>
    %39 = tosa.add %38, %32 : (tensor<1x28x28x32xi8>, tensor<1x28x28x32xi8>) -> tensor<1x28x28x32xi8>
    %weights21 = "tosa.const"() <{values = dense<1> : tensor<192x1x1x32xi8>}> : () -> tensor<192x1x1x32xi8>
    %bias21 = "tosa.const"() <{values = dense<0> : tensor<192xi32>}> : () -> tensor<192xi32>
    %40 = tosa.conv2d %39, %weights21, %bias21 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x28x28x32xi8>, tensor<192x1x1x32xi8>, tensor<192xi32>) -> tensor<1x28x28x192xi32>
    %41 = "tosa.rescale"(%40) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x28x28x192xi32>) -> tensor<1x28x28x192xi8>
    %weights22 = "tosa.const"() <{values = dense<1> : tensor<3x3x192x1xi8>}> : () -> tensor<3x3x192x1xi8>
    %bias22 = "tosa.const"() <{values = dense<0> : tensor<192xi32>}> : () -> tensor<192xi32>
    %42 = tosa.depthwise_conv2d %41, %weights22, %bias22 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x28x28x192xi8>, tensor<3x3x192x1xi8>, tensor<192xi32>) -> tensor<1x14x14x192xi32>
    %43 = "tosa.rescale"(%42) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x192xi32>) -> tensor<1x14x14x192xi8>
    %weights23 = "tosa.const"() <{values = dense<1> : tensor<64x1x1x192xi8>}> : () -> tensor<64x1x1x192xi8>
    %bias23 = "tosa.const"() <{values = dense<0> : tensor<64xi32>}> : () -> tensor<64xi32>
    %44 = tosa.conv2d %43, %weights23, %bias23 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x192xi8>, tensor<64x1x1x192xi8>, tensor<64xi32>) -> tensor<1x14x14x64xi32>
    %45 = "tosa.rescale"(%44) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x64xi32>) -> tensor<1x14x14x64xi8>
    %weights24 = "tosa.const"() <{values = dense<1> : tensor<384x1x1x64xi8>}> : () -> tensor<384x1x1x64xi8>
    %bias24 = "tosa.const"() <{values = dense<0> : tensor<384xi32>}> : () -> tensor<384xi32>
    %46 = tosa.conv2d %45, %weights24, %bias24 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x64xi8>, tensor<384x1x1x64xi8>, tensor<384xi32>) -> tensor<1x14x14x384xi32>
    %47 = "tosa.rescale"(%46) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x384xi32>) -> tensor<1x14x14x384xi8>
    %weights25 = "tosa.const"() <{values = dense<1> : tensor<3x3x384x1xi8>}> : () -> tensor<3x3x384x1xi8>
    %bias25 = "tosa.const"() <{values = dense<0> : tensor<384xi32>}> : () -> tensor<384xi32>
    %48 = tosa.depthwise_conv2d %47, %weights25, %bias25 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x14x14x384xi8>, tensor<3x3x384x1xi8>, tensor<384xi32>) -> tensor<1x14x14x384xi32>
    %49 = "tosa.rescale"(%48) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x384xi32>) -> tensor<1x14x14x384xi8>
    %weights26 = "tosa.const"() <{values = dense<1> : tensor<64x1x1x384xi8>}> : () -> tensor<64x1x1x384xi8>
    %bias26 = "tosa.const"() <{values = dense<0> : tensor<64xi32>}> : () -> tensor<64xi32>
    %50 = tosa.conv2d %49, %weights26, %bias26 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x384xi8>, tensor<64x1x1x384xi8>, tensor<64xi32>) -> tensor<1x14x14x64xi32>
    %51 = "tosa.rescale"(%50) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x64xi32>) -> tensor<1x14x14x64xi8>
    %52 = tosa.add %51, %45 : (tensor<1x14x14x64xi8>, tensor<1x14x14x64xi8>) -> tensor<1x14x14x64xi8>
    %weights28 = "tosa.const"() <{values = dense<1> : tensor<384x1x1x64xi8>}> : () -> tensor<384x1x1x64xi8>
    %bias28 = "tosa.const"() <{values = dense<0> : tensor<384xi32>}> : () -> tensor<384xi32>
    %53 = tosa.conv2d %52, %weights28, %bias28 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x64xi8>, tensor<384x1x1x64xi8>, tensor<384xi32>) -> tensor<1x14x14x384xi32>
    %54 = "tosa.rescale"(%53) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x384xi32>) -> tensor<1x14x14x384xi8>
    %weights29 = "tosa.const"() <{values = dense<1> : tensor<3x3x384x1xi8>}> : () -> tensor<3x3x384x1xi8>
    %bias29 = "tosa.const"() <{values = dense<0> : tensor<384xi32>}> : () -> tensor<384xi32>
    %55 = tosa.depthwise_conv2d %54, %weights29, %bias29 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x14x14x384xi8>, tensor<3x3x384x1xi8>, tensor<384xi32>) -> tensor<1x14x14x384xi32>
    %56 = "tosa.rescale"(%55) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x384xi32>) -> tensor<1x14x14x384xi8>
    %weights30 = "tosa.const"() <{values = dense<1> : tensor<64x1x1x384xi8>}> : () -> tensor<64x1x1x384xi8>
    %bias30 = "tosa.const"() <{values = dense<0> : tensor<64xi32>}> : () -> tensor<64xi32>
    %57 = tosa.conv2d %56, %weights30, %bias30 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x384xi8>, tensor<64x1x1x384xi8>, tensor<64xi32>) -> tensor<1x14x14x64xi32>
    %58 = "tosa.rescale"(%57) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x64xi32>) -> tensor<1x14x14x64xi8>
    %59 = tosa.add %58, %52 : (tensor<1x14x14x64xi8>, tensor<1x14x14x64xi8>) -> tensor<1x14x14x64xi8>
    %weights32 = "tosa.const"() <{values = dense<1> : tensor<384x1x1x64xi8>}> : () -> tensor<384x1x1x64xi8>
    %bias32 = "tosa.const"() <{values = dense<0> : tensor<384xi32>}> : () -> tensor<384xi32>
    %60 = tosa.conv2d %59, %weights32, %bias32 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x64xi8>, tensor<384x1x1x64xi8>, tensor<384xi32>) -> tensor<1x14x14x384xi32>
    %61 = "tosa.rescale"(%60) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x384xi32>) -> tensor<1x14x14x384xi8>
    %weights33 = "tosa.const"() <{values = dense<1> : tensor<3x3x384x1xi8>}> : () -> tensor<3x3x384x1xi8>
    %bias33 = "tosa.const"() <{values = dense<0> : tensor<384xi32>}> : () -> tensor<384xi32>
    %62 = tosa.depthwise_conv2d %61, %weights33, %bias33 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x14x14x384xi8>, tensor<3x3x384x1xi8>, tensor<384xi32>) -> tensor<1x14x14x384xi32>
    %63 = "tosa.rescale"(%62) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x384xi32>) -> tensor<1x14x14x384xi8>
    %weights34 = "tosa.const"() <{values = dense<1> : tensor<64x1x1x384xi8>}> : () -> tensor<64x1x1x384xi8>
    %bias34 = "tosa.const"() <{values = dense<0> : tensor<64xi32>}> : () -> tensor<64xi32>
    %64 = tosa.conv2d %63, %weights34, %bias34 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x384xi8>, tensor<64x1x1x384xi8>, tensor<64xi32>) -> tensor<1x14x14x64xi32>
    %65 = "tosa.rescale"(%64) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x64xi32>) -> tensor<1x14x14x64xi8>
    %66 = tosa.add %65, %59 : (tensor<1x14x14x64xi8>, tensor<1x14x14x64xi8>) -> tensor<1x14x14x64xi8>
    %weights36 = "tosa.const"() <{values = dense<1> : tensor<384x1x1x64xi8>}> : () -> tensor<384x1x1x64xi8>
    %bias36 = "tosa.const"() <{values = dense<0> : tensor<384xi32>}> : () -> tensor<384xi32>
    %67 = tosa.conv2d %66, %weights36, %bias36 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x64xi8>, tensor<384x1x1x64xi8>, tensor<384xi32>) -> tensor<1x14x14x384xi32>
    %68 = "tosa.rescale"(%67) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x384xi32>) -> tensor<1x14x14x384xi8>
    %weights37 = "tosa.const"() <{values = dense<1> : tensor<3x3x384x1xi8>}> : () -> tensor<3x3x384x1xi8>
    %bias37 = "tosa.const"() <{values = dense<0> : tensor<384xi32>}> : () -> tensor<384xi32>
    %69 = tosa.depthwise_conv2d %68, %weights37, %bias37 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x14x14x384xi8>, tensor<3x3x384x1xi8>, tensor<384xi32>) -> tensor<1x14x14x384xi32>
    %70 = "tosa.rescale"(%69) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x384xi32>) -> tensor<1x14x14x384xi8>
    %weights38 = "tosa.const"() <{values = dense<1> : tensor<96x1x1x384xi8>}> : () -> tensor<96x1x1x384xi8>
    %bias38 = "tosa.const"() <{values = dense<0> : tensor<96xi32>}> : () -> tensor<96xi32>
    %71 = tosa.conv2d %70, %weights38, %bias38 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x384xi8>, tensor<96x1x1x384xi8>, tensor<96xi32>) -> tensor<1x14x14x96xi32>
    %72 = "tosa.rescale"(%71) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x96xi32>) -> tensor<1x14x14x96xi8>
    %weights39 = "tosa.const"() <{values = dense<1> : tensor<576x1x1x96xi8>}> : () -> tensor<576x1x1x96xi8>
    %bias39 = "tosa.const"() <{values = dense<0> : tensor<576xi32>}> : () -> tensor<576xi32>
    %73 = tosa.conv2d %72, %weights39, %bias39 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x96xi8>, tensor<576x1x1x96xi8>, tensor<576xi32>) -> tensor<1x14x14x576xi32>
    %74 = "tosa.rescale"(%73) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x576xi32>) -> tensor<1x14x14x576xi8>
    %weights40 = "tosa.const"() <{values = dense<1> : tensor<3x3x576x1xi8>}> : () -> tensor<3x3x576x1xi8>
    %bias40 = "tosa.const"() <{values = dense<0> : tensor<576xi32>}> : () -> tensor<576xi32>
    %75 = tosa.depthwise_conv2d %74, %weights40, %bias40 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x14x14x576xi8>, tensor<3x3x576x1xi8>, tensor<576xi32>) -> tensor<1x14x14x576xi32>
    %76 = "tosa.rescale"(%75) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x576xi32>) -> tensor<1x14x14x576xi8>
    %weights41 = "tosa.const"() <{values = dense<1> : tensor<96x1x1x576xi8>}> : () -> tensor<96x1x1x576xi8>
    %bias41 = "tosa.const"() <{values = dense<0> : tensor<96xi32>}> : () -> tensor<96xi32>
    %77 = tosa.conv2d %76, %weights41, %bias41 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x576xi8>, tensor<96x1x1x576xi8>, tensor<96xi32>) -> tensor<1x14x14x96xi32>
    %78 = "tosa.rescale"(%77) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x96xi32>) -> tensor<1x14x14x96xi8>
    %79 = tosa.add %78, %72 : (tensor<1x14x14x96xi8>, tensor<1x14x14x96xi8>) -> tensor<1x14x14x96xi8>
    %weights43 = "tosa.const"() <{values = dense<1> : tensor<576x1x1x96xi8>}> : () -> tensor<576x1x1x96xi8>
    %bias43 = "tosa.const"() <{values = dense<0> : tensor<576xi32>}> : () -> tensor<576xi32>
    %80 = tosa.conv2d %79, %weights43, %bias43 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x96xi8>, tensor<576x1x1x96xi8>, tensor<576xi32>) -> tensor<1x14x14x576xi32>
    %81 = "tosa.rescale"(%80) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x576xi32>) -> tensor<1x14x14x576xi8>
    %weights44 = "tosa.const"() <{values = dense<1> : tensor<3x3x576x1xi8>}> : () -> tensor<3x3x576x1xi8>
    %bias44 = "tosa.const"() <{values = dense<0> : tensor<576xi32>}> : () -> tensor<576xi32>
    %82 = tosa.depthwise_conv2d %81, %weights44, %bias44 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x14x14x576xi8>, tensor<3x3x576x1xi8>, tensor<576xi32>) -> tensor<1x14x14x576xi32>
    %83 = "tosa.rescale"(%82) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x576xi32>) -> tensor<1x14x14x576xi8>
    %weights45 = "tosa.const"() <{values = dense<1> : tensor<96x1x1x576xi8>}> : () -> tensor<96x1x1x576xi8>
    %bias45 = "tosa.const"() <{values = dense<0> : tensor<96xi32>}> : () -> tensor<96xi32>
    %84 = tosa.conv2d %83, %weights45, %bias45 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x576xi8>, tensor<96x1x1x576xi8>, tensor<96xi32>) -> tensor<1x14x14x96xi32>
    %85 = "tosa.rescale"(%84) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x96xi32>) -> tensor<1x14x14x96xi8>
    %86 = tosa.add %85, %79 : (tensor<1x14x14x96xi8>, tensor<1x14x14x96xi8>) -> tensor<1x14x14x96xi8>
    %weights47 = "tosa.const"() <{values = dense<1> : tensor<576x1x1x96xi8>}> : () -> tensor<576x1x1x96xi8>
    %bias47 = "tosa.const"() <{values = dense<0> : tensor<576xi32>}> : () -> tensor<576xi32>
    %87 = tosa.conv2d %86, %weights47, %bias47 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x14x14x96xi8>, tensor<576x1x1x96xi8>, tensor<576xi32>) -> tensor<1x14x14x576xi32>
    %88 = "tosa.rescale"(%87) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x14x14x576xi32>) -> tensor<1x14x14x576xi8>
    %weights48 = "tosa.const"() <{values = dense<1> : tensor<3x3x576x1xi8>}> : () -> tensor<3x3x576x1xi8>
    %bias48 = "tosa.const"() <{values = dense<0> : tensor<576xi32>}> : () -> tensor<576xi32>
    %89 = tosa.depthwise_conv2d %88, %weights48, %bias48 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>} : (tensor<1x14x14x576xi8>, tensor<3x3x576x1xi8>, tensor<576xi32>) -> tensor<1x7x7x576xi32>
    %90 = "tosa.rescale"(%89) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x7x7x576xi32>) -> tensor<1x7x7x576xi8>
    %weights49 = "tosa.const"() <{values = dense<1> : tensor<160x1x1x576xi8>}> : () -> tensor<160x1x1x576xi8>
    %bias49 = "tosa.const"() <{values = dense<0> : tensor<160xi32>}> : () -> tensor<160xi32>
    %91 = tosa.conv2d %90, %weights49, %bias49 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x7x7x576xi8>, tensor<160x1x1x576xi8>, tensor<160xi32>) -> tensor<1x7x7x160xi32>
    %92 = "tosa.rescale"(%91) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x7x7x160xi32>) -> tensor<1x7x7x160xi8>
    %weights50 = "tosa.const"() <{values = dense<1> : tensor<960x1x1x160xi8>}> : () -> tensor<960x1x1x160xi8>
    %bias50 = "tosa.const"() <{values = dense<0> : tensor<960xi32>}> : () -> tensor<960xi32>
    %93 = tosa.conv2d %92, %weights50, %bias50 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x7x7x160xi8>, tensor<960x1x1x160xi8>, tensor<960xi32>) -> tensor<1x7x7x960xi32>
    %94 = "tosa.rescale"(%93) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x7x7x960xi32>) -> tensor<1x7x7x960xi8>
    %weights51 = "tosa.const"() <{values = dense<1> : tensor<3x3x960x1xi8>}> : () -> tensor<3x3x960x1xi8>
    %bias51 = "tosa.const"() <{values = dense<0> : tensor<960xi32>}> : () -> tensor<960xi32>
    %95 = tosa.depthwise_conv2d %94, %weights51, %bias51 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x7x7x960xi8>, tensor<3x3x960x1xi8>, tensor<960xi32>) -> tensor<1x7x7x960xi32>
    %96 = "tosa.rescale"(%95) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x7x7x960xi32>) -> tensor<1x7x7x960xi8>
    %weights52 = "tosa.const"() <{values = dense<1> : tensor<160x1x1x960xi8>}> : () -> tensor<160x1x1x960xi8>
    %bias52 = "tosa.const"() <{values = dense<0> : tensor<160xi32>}> : () -> tensor<160xi32>
    %97 = tosa.conv2d %96, %weights52, %bias52 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x7x7x960xi8>, tensor<160x1x1x960xi8>, tensor<160xi32>) -> tensor<1x7x7x160xi32>
    %98 = "tosa.rescale"(%97) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x7x7x160xi32>) -> tensor<1x7x7x160xi8>
    %99 = tosa.add %98, %92 : (tensor<1x7x7x160xi8>, tensor<1x7x7x160xi8>) -> tensor<1x7x7x160xi8>
    %weights54 = "tosa.const"() <{values = dense<1> : tensor<960x1x1x160xi8>}> : () -> tensor<960x1x1x160xi8>
    %bias54 = "tosa.const"() <{values = dense<0> : tensor<960xi32>}> : () -> tensor<960xi32>
    %100 = tosa.conv2d %99, %weights54, %bias54 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x7x7x160xi8>, tensor<960x1x1x160xi8>, tensor<960xi32>) -> tensor<1x7x7x960xi32>
    %101 = "tosa.rescale"(%100) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x7x7x960xi32>) -> tensor<1x7x7x960xi8>
    %weights55 = "tosa.const"() <{values = dense<1> : tensor<3x3x960x1xi8>}> : () -> tensor<3x3x960x1xi8>
    %bias55 = "tosa.const"() <{values = dense<0> : tensor<960xi32>}> : () -> tensor<960xi32>
    %102 = tosa.depthwise_conv2d %101, %weights55, %bias55 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x7x7x960xi8>, tensor<3x3x960x1xi8>, tensor<960xi32>) -> tensor<1x7x7x960xi32>
    %103 = "tosa.rescale"(%102) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x7x7x960xi32>) -> tensor<1x7x7x960xi8>
    %weights56 = "tosa.const"() <{values = dense<1> : tensor<160x1x1x960xi8>}> : () -> tensor<160x1x1x960xi8>
    %bias56 = "tosa.const"() <{values = dense<0> : tensor<160xi32>}> : () -> tensor<160xi32>
    %104 = tosa.conv2d %103, %weights56, %bias56 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x7x7x960xi8>, tensor<160x1x1x960xi8>, tensor<160xi32>) -> tensor<1x7x7x160xi32>
    %105 = "tosa.rescale"(%104) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x7x7x160xi32>) -> tensor<1x7x7x160xi8>
    %106 = tosa.add %105, %99 : (tensor<1x7x7x160xi8>, tensor<1x7x7x160xi8>) -> tensor<1x7x7x160xi8>
    %weights58 = "tosa.const"() <{values = dense<1> : tensor<960x1x1x160xi8>}> : () -> tensor<960x1x1x160xi8>
    %bias58 = "tosa.const"() <{values = dense<0> : tensor<960xi32>}> : () -> tensor<960xi32>
    %107 = tosa.conv2d %106, %weights58, %bias58 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x7x7x160xi8>, tensor<960x1x1x160xi8>, tensor<960xi32>) -> tensor<1x7x7x960xi32>
    %108 = "tosa.rescale"(%107) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x7x7x960xi32>) -> tensor<1x7x7x960xi8>
    %weights59 = "tosa.const"() <{values = dense<1> : tensor<3x3x960x1xi8>}> : () -> tensor<3x3x960x1xi8>
    %bias59 = "tosa.const"() <{values = dense<0> : tensor<960xi32>}> : () -> tensor<960xi32>
    %109 = tosa.depthwise_conv2d %108, %weights59, %bias59 {dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x7x7x960xi8>, tensor<3x3x960x1xi8>, tensor<960xi32>) -> tensor<1x7x7x960xi32>
    %110 = "tosa.rescale"(%109) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x7x7x960xi32>) -> tensor<1x7x7x960xi8>
    %weights60 = "tosa.const"() <{values = dense<1> : tensor<320x1x1x960xi8>}> : () -> tensor<320x1x1x960xi8>
    %bias60 = "tosa.const"() <{values = dense<0> : tensor<320xi32>}> : () -> tensor<320xi32>
    %111 = tosa.conv2d %110, %weights60, %bias60 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x7x7x960xi8>, tensor<320x1x1x960xi8>, tensor<320xi32>) -> tensor<1x7x7x320xi32>
    %112 = "tosa.rescale"(%111) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x7x7x320xi32>) -> tensor<1x7x7x320xi8>
    %weights61 = "tosa.const"() <{values = dense<1> : tensor<1280x1x1x320xi8>}> : () -> tensor<1280x1x1x320xi8>
    %bias61 = "tosa.const"() <{values = dense<0> : tensor<1280xi32>}> : () -> tensor<1280xi32>
    %113 = tosa.conv2d %112, %weights61, %bias61 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x7x7x320xi8>, tensor<1280x1x1x320xi8>, tensor<1280xi32>) -> tensor<1x7x7x1280xi32>
    %114 = "tosa.rescale"(%113) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x7x7x1280xi32>) -> tensor<1x7x7x1280xi8>
    %115 = tosa.avg_pool2d %114 {acc_type = i32, kernel = array<i64: 7, 7>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x7x7x1280xi8>) -> tensor<1x1x1x1280xi8>
    %weights63 = "tosa.const"() <{values = dense<1> : tensor<1000x1x1x1280xi8>}> : () -> tensor<1000x1x1x1280xi8>
    %bias63 = "tosa.const"() <{values = dense<0> : tensor<1000xi32>}> : () -> tensor<1000xi32>
    %116 = tosa.conv2d %115, %weights63, %bias63 {dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x1x1x1280xi8>, tensor<1000x1x1x1280xi8>, tensor<1000xi32>) -> tensor<1x1x1x1000xi32>
    %117 = "tosa.rescale"(%116) <{input_zp = 0 : i32, multiplier = array<i32: 1073741824>, output_zp = -128 : i32, shift = array<i8: 38>}> : (tensor<1x1x1x1000xi32>) -> tensor<1x1x1x1000xi8>
    %118 = torch.operator "onnx.Softmax"(%117) : (tensor<1x1x1x1000xi8>) -> tensor<1x1x1x1000xi8>
    return %118 : tensor<1x1x1x1000xi8>
  }
}
