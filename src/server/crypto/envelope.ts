import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Encrypts small secrets for the database: AES-256-GCM with a new data key for each, which is encrypted with the current key
 * of the ring. The context (for instance `connection:12:refresh-token`) is authenticated, so a sealed value does not open
 * in another row.
 */
export interface Vault {
  seal(plain: string, context: string): string
  /** Throws if the value was changed or moved to another context, or if its key is no longer in the ring. */
  open(sealed: string, context: string): string
  /** Encrypts the data key again with the current key; returns the same text if that is current already. */
  rewrap(sealed: string, context: string): string
}

function encrypt(key: Uint8Array, plain: Uint8Array, aad: string): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(aad))
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Uint8Array, sealed: Buffer, aad: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12)).setAAD(Buffer.from(aad))
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
}

/** A vault with a key ring. The first key seals, all keys open. */
export function createVault(ring: readonly { id: string; key: Uint8Array }[]): Vault {
  const [current] = ring
  if (!current) throw new Error('the key ring is empty')
  const wrap = (dataKey: Uint8Array, context: string) =>
    `v1.${current.id}.${encrypt(current.key, dataKey, `key:${context}`).toString('base64url')}`
  const unwrap = (sealed: string, context: string) => {
    const [version, keyId, wrapped, body] = sealed.split('.')
    const key = ring.find(k => k.id === keyId)
    if (version !== 'v1' || !wrapped || !body) throw new Error('not a sealed value')
    if (!key) throw new Error(`the key ${keyId} is not in the ring`)
    return { keyId, body, dataKey: decrypt(key.key, Buffer.from(wrapped, 'base64url'), `key:${context}`) }
  }
  return {
    seal(plain, context) {
      const dataKey = randomBytes(32)
      return `${wrap(dataKey, context)}.${encrypt(dataKey, Buffer.from(plain), context).toString('base64url')}`
    },
    open(sealed, context) {
      const { body, dataKey } = unwrap(sealed, context)
      return decrypt(dataKey, Buffer.from(body, 'base64url'), context).toString('utf8')
    },
    rewrap(sealed, context) {
      const { keyId, body, dataKey } = unwrap(sealed, context)
      return keyId === current.id ? sealed : `${wrap(dataKey, context)}.${body}`
    },
  }
}
