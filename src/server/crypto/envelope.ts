import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Seals small secrets for the database: AES-256-GCM under a data key of its own, which is wrapped by the current key of
 * the ring. The context (for instance `connection:12:refresh-token`) is authenticated, so a sealed value copied to
 * another row does not open.
 */
export interface Vault {
  seal(plain: string, context: string): string
  /** Throws when the value was changed, moved to another context, or its key left the ring. */
  open(sealed: string, context: string): string
  /** Wraps the data key anew under the current key; the same text when that is current already. */
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

/** A vault over a key ring; the first key seals, all of them open. */
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
