// @ts-expect-error jStat 1.9 has no types of its own.
import jStat from 'jstat'

interface Distributions {
  /** The scale is the mean over the shape. */
  gamma: {
    cdf(x: number, shape: number, scale: number): number
    inv(probability: number, shape: number, scale: number): number
  }
  poisson: { cdf(count: number, mean: number): number }
}

/** The gamma and Poisson distributions. */
export const { gamma, poisson } = jStat as Distributions
