export default {
  mode: 'production',
  entry: './webpack.js',
  // The element loads its engine, about 1 MB, when the first interactive map needs it.
  performance: { maxAssetSize: 1_500_000 },
};
