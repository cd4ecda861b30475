import { Agent, type IncomingMessage, request } from 'node:http'

export interface Answer {
  status: number
  body: string
  etag: string | undefined
}

export interface LoadClient {
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body: object): Promise<Answer>
  close(): void
}

/**
 * Calls over keep-alive connections, with or without a log-in, whose token may be asked for with each call; each call comes from
 * another address, as real load does.
 */
export function createLoadClient(url: string, token?: string | (() => Promise<string>), prefix = '/api'): LoadClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  let calls = 0
  const send = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const valid = typeof token === 'function' ? await token() : token
    return new Promise<Answer>((resolve, reject) => {
      calls += 1
      const from = `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`
      const authorization = valid ? { authorization: `Bearer ${valid}` } : {}
      const options = { agent, method, headers: { 'x-forwarded-for': from, ...authorization, ...headers } }
      const sent = request(`${url}${prefix}${path}`, options, answer => read(answer).then(resolve, reject))
      sent.setTimeout(60_000, () => sent.destroy(new Error(`${path} was not answered within a minute`)))
      sent.on('error', reject)
      sent.end(body)
    })
  }
  return {
    get: (path, headers = {}) => send('GET', path, headers),
    post: (path, body) => send('POST', path, { 'content-type': 'application/json' }, JSON.stringify(body)),
    close: () => agent.destroy(),
  }
}

async function read(answer: IncomingMessage): Promise<Answer> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  return { status: answer.statusCode ?? 0, body: Buffer.concat(parts).toString(), etag: answer.headers.etag }
}

/** A client of a verified account, by a real log-in. Throws when that is refused. */
export async function loggedIn(url: string, account: { email: string; password: string }): Promise<LoadClient> {
  const anonymous = createLoadClient(url)
  const answer = await anonymous.post('/auth/login', account)
  anonymous.close()
  if (answer.status !== 200) throw new Error(`The log-in answered ${answer.status}: ${answer.body}`)
  return createLoadClient(url, (JSON.parse(answer.body) as { accessToken: string }).accessToken)
}

/**
 * How many calls a second are answered with `status` when `concurrency` callers ask one after the other for `ms`
 * milliseconds; answers how many there were, too. Throws on any other answer.
 */
export async function callsPerSecond(
  call: (n: number) => Promise<Answer>,
  { status, ms, concurrency }: { status: number; ms: number; concurrency: number },
): Promise<{ perSecond: number; calls: number }> {
  const began = performance.now()
  let calls = 0
  const caller = async () => {
    while (performance.now() - began < ms) {
      const answer = await call(calls)
      if (answer.status !== status) throw new Error(`answered ${answer.status} instead of ${status}: ${answer.body}`)
      calls += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, caller))
  return { perSecond: calls / ((performance.now() - began) / 1000), calls }
}
