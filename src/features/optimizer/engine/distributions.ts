// @ts-expect-error jStat 1.9 has no types of its own.
import jStat from 'jstat'

interface Distributions {
  /** The scale is the mean over the shape. */
  gamma: {
    cdf(x: number, shape: number, scale: number): number
    inv(probability: number, shape: number, scale: number): number
  }
  normal: { inv(probability: number, mean: number, deviation: number): number }
  /** Student's t. */
  studentt: {
    cdf(x: number, degrees: number): number
    inv(probability: number, degrees: number): number
  }
  poisson: { cdf(count: number, mean: number): number }
}

/** Distributions that estimates and intervals are made of. */
export const { gamma, normal, poisson, studentt } = jStat as Distributions
