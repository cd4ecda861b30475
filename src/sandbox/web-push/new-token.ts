import { randomBytes } from 'node:crypto'

/** A name that nobody guesses: whoever knows an address of this service may try to send to it. */
export const newToken = (): string => randomBytes(24).toString('base64url')
