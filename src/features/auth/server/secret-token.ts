import { createHash, createHmac, randomBytes } from 'node:crypto'

/** A token of 256 random bits, safe in URLs. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** The hash by which the database stores a token. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** The token after another one. Not stored: a client that repeats the first after a lost reply gets the same one. */
export const successorOf = (secret: string, key: Uint8Array): string =>
  createHmac('sha256', key).update('refresh-token\0').update(secret).digest('base64url')
