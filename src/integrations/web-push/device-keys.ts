import { ECDH } from 'node:crypto'

/** What a browser gives away of a subscription's keys, in base64url. */
export interface DeviceKeys {
  p256dh: string
  auth: string
}

/** True when a push can be encrypted for these keys: a point on P-256, and 16 bytes. */
export function areDeviceKeys({ p256dh, auth }: DeviceKeys): boolean {
  if (Buffer.from(auth, 'base64url').length !== 16) return false
  const point = Buffer.from(p256dh, 'base64url')
  try {
    return point.length === 65 && Boolean(ECDH.convertKey(point, 'prime256v1'))
  } catch {
    return false
  }
}
