import { hash, verify } from '@node-rs/argon2'

// OWASP's parameters for argon2id (2): 19 MiB, two passes, one lane.
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The hash of a password, salted, as a PHC string; every byte of the password counts. */
export const hashPassword = (password: string): Promise<string> => hash(password, options)

let dummy: Promise<string> | undefined

/** True when the password is the one that was hashed. Without a hash it is false, after the same work. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const known = passwordHash?.startsWith('$argon2id$') ? passwordHash : null
  dummy ??= hashPassword('of nobody')
  const right = await verify(known ?? (await dummy), password)
  return known !== null && right
}
