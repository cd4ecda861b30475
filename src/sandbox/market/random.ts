import { mix, type Random } from '#shared/random.ts'

export {
  createRandom,
  fraction,
  hashText,
  mix,
  mixSalted,
  normal,
  poisson,
  type Random,
  saltOf,
} from '#shared/random.ts'

/** A 32-bit number as a nearly normal draw: mean 0, standard deviation 1, never beyond 3.46. */
export const bell = (hash: number): number =>
  ((hash & 255) + ((hash >>> 8) & 255) + ((hash >>> 16) & 255) + (hash >>> 24) - 510) / 147.8

/** Rounds up with the probability of the fractional part, so that averages are preserved. */
export function roundByChance(value: number, random: Random): number {
  const low = Math.floor(value)
  return low + (random() < value - low ? 1 : 0)
}

const alphabet = '0123456789ABCDEFGHJKLMNPQRSTVWXYZ'
/** Letters and digits as ids have them, the same for a seed each time. */
export const codeOf = (seed: number, length: number): string =>
  Array.from({ length }, (_, i) => alphabet[mix(seed, i) % alphabet.length]).join('')
