import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const LINK_SECONDS = 3600

/** Links to files with an expiry and a signature, in the storage's own parameters. */
export interface SignedLinks {
  /** The link's path and query for a file, and when it expires. */
  sign(path: string, now: Date): { target: string; expiresAt: Date }
  check(path: string, query: Record<string, string | undefined>, now: Date): 'ok' | 'expired' | 'forged'
}

/** Links of one process; after a restart, as after an hour, the report returns a new link. */
export function createSignedLinks(): SignedLinks {
  const secret = randomBytes(32)
  const signatureOf = (path: string, date: string, expires: string): string =>
    createHmac('sha256', secret).update(`${path}\n${date}\n${expires}`).digest('hex')
  return {
    sign(path, now) {
      const date = now.toISOString().replace(/[-:]|\.\d+/g, '')
      const query = new URLSearchParams({
        'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
        'X-Amz-Date': date,
        'X-Amz-SignedHeaders': 'host',
        'X-Amz-Expires': String(LINK_SECONDS),
        'X-Amz-Signature': signatureOf(path, date, String(LINK_SECONDS)),
      })
      return { target: `${path}?${query}`, expiresAt: new Date(now.getTime() + LINK_SECONDS * 1000) }
    },
    check(path, query, now) {
      const { 'X-Amz-Date': date = '', 'X-Amz-Expires': expires = '', 'X-Amz-Signature': signature = '' } = query
      const [actual, expected] = [Buffer.from(signature), Buffer.from(signatureOf(path, date, expires))]
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return 'forged'
      const signed = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
      return now.getTime() > signed + Number(expires) * 1000 ? 'expired' : 'ok'
    },
  }
}
