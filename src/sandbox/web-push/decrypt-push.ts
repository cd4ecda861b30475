import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

export interface DeviceKeys {
  publicKey: string
  privateKey: string
  auth: string
}

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url')
const derive = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** New keys, as a browser makes them for a subscription. */
export function createDeviceKeys(): DeviceKeys {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return {
    publicKey: pair.getPublicKey('base64url'),
    privateKey: pair.getPrivateKey('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
}

/** Reads a push as the device does (RFC 8188, RFC 8291). Throws when it was not encrypted for these keys. */
export function decryptPush(body: Buffer, keys: DeviceKeys): string {
  const salt = body.subarray(0, 16)
  const recordSize = body.readUInt32BE(16)
  const senderKey = body.subarray(21, 21 + body.readUInt8(20))
  const record = body.subarray(21 + senderKey.length)
  // A push is one record, so that truncation is noticed.
  if (record.length > recordSize || record.length < 17) throw new Error('not one record of aes128gcm')
  const device = createECDH('prime256v1')
  device.setPrivateKey(bytes(keys.privateKey))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), bytes(keys.publicKey), senderKey])
  const secret = derive(device.computeSecret(senderKey), bytes(keys.auth), info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.findLastIndex(byte => byte !== 0)
  if (padded[end] !== 2) throw new Error('the record does not say that it is the last one')
  return padded.subarray(0, end).toString('utf8')
}
