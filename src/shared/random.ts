// Numbers that look drawn and depend on their seed alone: simulations, samples that anyone can draw again.

/** Mixes two 32-bit integers into one, evenly (the finaliser of MurmurHash3). */
export const mix = (a: number, b: number): number => mixSalted(a, saltOf(b))

/** The part of `mix` that depends on its second number only. Loops over the first number use it with `mixSalted`. */
export const saltOf = (b: number): number => Math.imul(b, 0x9e3779b1)
/** `mix(a, b)`, where `salt` is `saltOf(b)`. */
export function mixSalted(a: number, salt: number): number {
  let h = Math.imul(a ^ salt, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 16), 0x27d4eb2f)
  return (h ^ (h >>> 15)) >>> 0
}

/** A 32-bit hash of a text (FNV-1a), the same on every machine. */
export function hashText(text: string, seed: number): number {
  let h = 0x811c9dc5 ^ seed
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return mix(h, seed)
}

/** A 32-bit number as a fraction, 0 included and 1 not. */
export const fraction = (hash: number): number => hash / 4294967296

/** A source of fractions that depends on its seed alone (mulberry32). */
export type Random = () => number
export function createRandom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return fraction((t ^ (t >>> 14)) >>> 0)
  }
}

/** A standard normal draw (Box and Muller). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** A Poisson draw; above a mean of 30 the rounded normal that it approaches. */
export function poisson(mean: number, random: Random): number {
  if (mean <= 0) return 0
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)))
  const limit = Math.exp(-mean)
  let count = 0
  let product = random()
  while (product > limit) {
    count++
    product *= random()
  }
  return count
}
