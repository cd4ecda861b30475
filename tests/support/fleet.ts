import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createParser } from 'eventsource-parser'
import { freePort, launch, type Running } from './processes.ts'

export interface Fleet {
  /** Of the balancer. */
  url: string
  web: Running[]
  workers: Running[]
  /** Starts one more worker. */
  addWorker(): Promise<void>
  stop(): Promise<void>
}

/** Web and worker processes with the same settings, behind a balancer that takes them in turn. */
export async function startFleet(
  env: Record<string, string>,
  { web, workers }: { web: number; workers: number },
): Promise<Fleet> {
  const ports = await Promise.all(Array.from({ length: web }, freePort))
  const balancer = await startBalancer(ports)
  const own = { ...env, JOBS: 'off', CLIENT: 'off', PUBLIC_URL: balancer.url, TRUST_PROXY: '127.0.0.1' }
  const fleet: Fleet = {
    url: balancer.url,
    web: [],
    workers: [],
    addWorker: async () => void fleet.workers.push(await launch(['src/main/worker.ts'], own, '')),
    stop: async () => {
      await Promise.all([...fleet.web, ...fleet.workers].map(one => one.kill()))
      balancer.close()
    },
  }
  const addWeb = async (port: number) =>
    void fleet.web.push(await launch(['src/main/server.ts'], { ...own, PORT: String(port) }, ''))
  const started = await Promise.allSettled([
    ...ports.map(addWeb),
    ...Array.from({ length: workers }, () => fleet.addWorker()),
  ])
  const failed = started.find(one => one.status === 'rejected')
  if (!failed) return fleet
  await fleet.stop()
  throw failed.reason
}

/** Sends each request to the next server; to the one after it if that refuses the connection, as balancers do. */
async function startBalancer(ports: readonly number[]): Promise<{ url: string; close: () => void }> {
  let turn = 0
  const pass = (from: IncomingMessage, to: ServerResponse, body: Buffer, tries: number): void => {
    const port = ports[turn++ % ports.length]
    const headers = { ...from.headers, 'x-forwarded-for': from.headers['x-caller'] ?? '127.0.0.1' }
    const sent = request({ port, host: '127.0.0.1', method: from.method, path: from.url, headers }, answer => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
      answer.on('error', () => to.destroy())
      answer.on('close', () => to.end())
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' && tries < ports.length) return pass(from, to, body, tries + 1)
      if (!to.headersSent) to.writeHead(502)
      to.end()
    })
    to.on('close', () => sent.destroy())
    sent.end(body)
  }
  const server = createServer((from, to) => {
    const parts: Buffer[] = []
    from.on('data', (part: Buffer) => parts.push(part))
    from.on('end', () => pass(from, to, Buffer.concat(parts), 1))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** One connection of a stream: what came after its `hello`. */
export type StreamPart = { event: string; data: string }[]

/** Follows the events of a session and connects again whenever the stream ends, as the client does. */
export function followEvents(url: string, token: string, caller: string) {
  const parts: StreamPart[] = []
  const stop = new AbortController()
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'x-caller': caller }
  const follow = async () => {
    const response = await fetch(`${url}/api/events`, { headers, signal: stop.signal })
    if (!response.ok || !response.body) return
    let part: StreamPart | undefined
    const parser = createParser({
      onEvent: ({ event = 'message', data }) => {
        if (event === 'hello') parts.push((part = []))
        else part?.push({ event, data })
      },
    })
    for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) parser.feed(bytes)
  }
  const done = (async () => {
    while (!stop.signal.aborted) {
      await follow().catch(() => undefined)
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  })()
  return {
    parts,
    stop: async () => {
      stop.abort()
      await done
    },
  }
}
