import { hash, verify } from '@node-rs/argon2'

// OWASP's parameters for argon2id (2): 19 MiB, two passes, one lane.
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The salted hash of a password, as a PHC string. */
export const hashPassword = (password: string): Promise<string> => hash(password, options)

let dummy: Promise<string> | undefined

/** True if the password matches the hash. Without a hash it is false, after the same work. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const valid = passwordHash?.startsWith('$argon2id$') ? passwordHash : null
  dummy ??= hashPassword('of nobody')
  const isMatch = await verify(valid ?? (await dummy), password)
  return valid !== null && isMatch
}
