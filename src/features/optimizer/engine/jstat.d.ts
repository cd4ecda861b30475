declare module 'jstat' {
  /** Distributions of jStat 1.9, which has no types of its own. A gamma's scale is its mean over its shape. */
  const jStat: {
    gamma: {
      cdf(x: number, shape: number, scale: number): number
      inv(probability: number, shape: number, scale: number): number
    }
    poisson: { cdf(k: number, mean: number): number }
  }
  export default jStat
}
