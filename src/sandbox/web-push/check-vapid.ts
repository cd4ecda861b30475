import { importJWK, jwtVerify } from 'jose'
import { z } from 'zod'

const header = /^vapid\s+t=([\w-]+\.[\w-]+\.[\w-]+)\s*,\s*k=([\w-]+)$/i
const claims = z.object({ exp: z.number(), sub: z.string().regex(/^(mailto:|https:\/\/)/) })
const MAX_SECONDS = 24 * 3600

/**
 * What is wrong with the application's signature (RFC 8292), or null. It must be for this service and, where the
 * subscription names one, made with its key. Signatures expire by the machine's time, which is the signer's.
 */
export async function vapidProblem(
  authorization: string | undefined,
  origin: string,
  applicationServerKey: string | null,
): Promise<{ status: 401 | 403; message: string } | null> {
  const [, token = '', key = ''] = header.exec(authorization ?? '') ?? []
  if (!token) return { status: 401, message: 'Missing VAPID authorization' }
  if (applicationServerKey !== null && key !== applicationServerKey)
    return { status: 403, message: 'The key is not the one that the subscription was made with' }
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65 || point[0] !== 4) return { status: 401, message: 'k is not an uncompressed P-256 point' }
  try {
    const jwk = { kty: 'EC', crv: 'P-256', ...coordinates(point) }
    const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), {
      audience: origin,
      algorithms: ['ES256'],
    })
    const { exp } = claims.parse(payload)
    if (exp > Date.now() / 1000 + MAX_SECONDS + 60) return { status: 401, message: 'exp is more than 24 hours away' }
    return null
  } catch (error) {
    return { status: 401, message: `Invalid VAPID token: ${(error as Error).message}` }
  }
}

function coordinates(point: Buffer) {
  return {
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
}
