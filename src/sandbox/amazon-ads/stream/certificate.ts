import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'

function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 0x80 ? [length] : length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: readonly Buffer[]): Buffer => tlv(0x30, ...parts)
const moment = (text: string): Buffer => tlv(0x17, Buffer.from(text))

const SHA256_WITH_RSA = Buffer.from('300d06092a864886f70d01010b0500', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')

const name = (commonName: string): Buffer =>
  sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from(commonName)))))

/**
 * A certificate (X.509, PEM) of an RSA key, signed by itself and valid until 2049; the same key and name give the same
 * one. Node can read certificates and not write them.
 */
export function selfSigned(privateKey: KeyObject, commonName: string): string {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  // A serial number must be positive, so its first byte is below 0x80 and not nothing.
  const serial = Buffer.concat([Buffer.from([1]), createHash('sha256').update(publicKey).digest().subarray(0, 15)])
  const validity = sequence(moment('200101000000Z'), moment('491231235959Z'))
  const issuer = name(commonName)
  const content = sequence(tlv(0x02, serial), SHA256_WITH_RSA, issuer, validity, issuer, publicKey)
  const signature = sign('sha256', content, privateKey)
  const der = sequence(content, SHA256_WITH_RSA, tlv(0x03, Buffer.from([0]), signature))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
