import { createECDH } from 'node:crypto'

/** A private key by which push services know us, 32 bytes in base64url. */
export interface VapidKey {
  id: string
  privateKey: string
}

export interface VapidPair extends VapidKey {
  /** What browsers subscribe with: an uncompressed P-256 point in base64url. */
  publicKey: string
}

/** The ring with its public halves. Throws when a key is no private key of P-256. */
export function vapidPairs(keys: readonly VapidKey[]): VapidPair[] {
  return keys.map(({ id, privateKey }) => {
    const pair = createECDH('prime256v1')
    try {
      pair.setPrivateKey(Buffer.from(privateKey, 'base64url'))
    } catch {
      throw new Error(`The VAPID key ${id} is no private key of P-256.`)
    }
    return { id, privateKey, publicKey: pair.getPublicKey('base64url') }
  })
}
