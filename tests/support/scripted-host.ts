import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenRequest {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export type Answer =
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer; stall?: boolean }
  /** The connection is cut without an answer. */
  | 'reset'

/** A host that answers by script: the n-th request gets the n-th answer, later ones the last. It keeps what it was sent. */
export async function startScriptedHost(...answers: (Answer | ((request: SeenRequest) => Answer))[]) {
  const seen: SeenRequest[] = []
  const reply = (response: ServerResponse, answer: Answer) => {
    if (answer === 'reset') return response.destroy()
    response.writeHead(answer.status ?? 200, answer.headers ?? { 'content-type': 'application/json' })
    if (answer.stall) return response.write(answer.body ?? ' ')
    return response.end(answer.body ?? '{}')
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body: Buffer.concat(parts).toString() }
      seen.push(one)
      const script = answers[Math.min(seen.length, answers.length) - 1] ?? {}
      reply(response, typeof script === 'function' ? script(one) : script)
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise<void>(done => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

/** Answers for JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}

/** A log that keeps nothing. */
export const silentLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}
