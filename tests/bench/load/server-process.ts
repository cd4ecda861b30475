import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort, outsideWorld } from '../../support/processes.ts'
import { serverBuild } from '../client-build.ts'
import { atEnd } from '../stops.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const { config, scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  config: { production: string }
  scripts: { serve: string }
}
const [assignments = '', commandLine = ''] = scripts.serve
  .replace('env $npm_package_config_production', config.production)
  .split(' node ')
/** What `npm run serve` sets and starts. */
const serve = {
  env: Object.fromEntries(assignments.split(' ').map(one => one.split('='))) as Record<string, string>,
  args: commandLine.split(' '),
}
/** Limits count callers by address; with this the load may come from as many as a load does. */
const trustedProxy = '127.0.0.1'
// Nobody listens there: what is measured asks nothing of the outside.
const nowhere = outsideWorld('http://127.0.0.1:9', 9)

/** With which the product that is measured signs and seals. */
export const measuredSecrets = {
  TOKEN_SECRET: 'measured'.repeat(6),
  ENCRYPTION_KEYS: `measured:${Buffer.alloc(32, 7).toString('base64')}`,
}

export interface ServerProcess {
  url: string
  pid: number
  /** From the start of the process until it listens and works. */
  readyMs: number
  /** Memory held now, in MB (10^6 bytes). */
  residentMb(): Promise<number>
  /** Processor time used so far by all of its threads. */
  cpuMs(): Promise<number>
  stop(): Promise<void>
}

/** The product as in production (`npm run serve`, or `npm run worker`), on a free port, asking nothing of the outside. */
export async function startServer(env: Record<string, string>, program?: 'worker'): Promise<ServerProcess> {
  serverBuild()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  // A worker starts as the server does, see package.json.
  const args = program ? serve.args.map(one => one.replace('server.js', `${program}.js`)) : serve.args
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      ...nowhere,
      ...serve.env,
      NODE_COMPILE_CACHE: `${root}.cache/node`,
      PORT: String(port),
      PUBLIC_URL: url,
      TRUST_PROXY: trustedProxy,
      ...measuredSecrets,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', chunk => (errors = (errors + String(chunk)).slice(-5000)))
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  }
  atEnd(stop)
  await new Promise<void>((resolve, reject) => {
    child.on('message', message => (message as { ready?: boolean }).ready && resolve())
    void ended.then(() => reject(new Error(`The server ended before it was ready.\n${errors}`)))
    setTimeout(() => reject(new Error('The server was not ready within two minutes.')), 120_000).unref()
  })
  return {
    url,
    pid: child.pid ?? 0,
    readyMs: performance.now() - began,
    residentMb: async () => (await gauge(url, 'process_resident_memory_bytes')) / 1e6,
    cpuMs: async () => (await gauge(url, 'process_cpu_seconds_total')) * 1000,
    stop,
  }
}

/** A figure that the server at this address tells about itself. */
export async function gauge(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const found = new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]
  if (!found) throw new Error(`/metrics does not tell ${name}`)
  return Number(found)
}
