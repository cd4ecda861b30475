import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onboardingEndpoints } from '#features/onboarding/contract.ts'
import { type Processes, startProcesses } from '../../support/processes.ts'
import { serverBuild } from '../client-build.ts'
import { createLoadClient } from '../load/http-load.ts'
import { cpuMsOf } from '../load/many-merchants.ts'
import { atEnd } from '../stops.ts'

const demonstration = fileURLToPath(new URL('../../../src/main/demonstration.ts', import.meta.url))
const account = { email: 'demo@tideline.test', password: 'Tideline!2026' }
const importTakesMs = 300_000
// What follows an import, such as explanations and alerts, is done in the background.
const restTakesMs = 120_000
const restsAtMs = 100

export interface Session {
  accessToken: string
  refreshToken: string
}

/** The product as in production, with the emulator, and with the demonstration's account and all its figures imported. */
export async function startDemonstration(
  options: { scenario?: 'demo' | 'small'; databaseUrl?: string } = {},
): Promise<Processes> {
  serverBuild()
  const processes = await startProcesses({
    scenario: 'demo',
    built: true,
    ...options,
    env: {
      NODE_ENV: 'production',
      TOKEN_SECRET: 'measured'.repeat(6),
      ENCRYPTION_KEYS: `measured:${Buffer.alloc(32, 7).toString('base64')}`,
    },
  })
  atEnd(() => processes.stop())
  await makeAccount(processes)
  await imported(processes.product.url)
  await rested(processes.product.pid)
  return processes
}

/** A new log-in of the demonstration's account. Throws when it is refused. */
export async function newSession(url: string): Promise<Session> {
  const client = createLoadClient(url)
  const answer = await client.post('/auth/login', account).finally(() => client.close())
  if (answer.status !== 200) throw new Error(`The log-in answered ${answer.status}: ${answer.body}`)
  return JSON.parse(answer.body) as Session
}

function makeAccount({ product, sandbox }: Processes): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [demonstration, product.url, sandbox.url], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, SANDBOX_CONTROL_TOKEN: sandbox.controlToken },
    })
    let errors = ''
    child.stderr.on('data', chunk => (errors += String(chunk)))
    child.once('exit', code => (code === 0 ? resolve() : reject(new Error(`No demonstration account: ${errors}`))))
  })
}

async function imported(url: string): Promise<void> {
  const client = createLoadClient(url, (await newSession(url)).accessToken)
  const began = performance.now()
  try {
    for (let quiet = 0; quiet < 3; ) {
      if (performance.now() - began > importTakesMs) throw new Error('The import was not done within five minutes.')
      await new Promise(resolve => setTimeout(resolve, 1000))
      const { body } = await client.get(onboardingEndpoints.activeSeeding.path)
      const items = JSON.parse(body) as { status: string; displayName: string; description: string }[]
      const failed = items.find(item => item.status === 'FAILED')
      if (failed) throw new Error(`The import failed: ${failed.displayName}: ${failed.description}`)
      quiet = items.some(item => item.status !== 'COMPLETED') ? 0 : quiet + 1
    }
    console.log(`Imported in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  } finally {
    client.close()
  }
}

/** Waits until a process uses less than a tenth of a processor for three seconds; not longer than two minutes. */
async function rested(pid: number): Promise<void> {
  const began = performance.now()
  let quiet = 0
  while (quiet < 3 && performance.now() - began < restTakesMs) {
    const before = cpuMsOf(pid)
    await new Promise(resolve => setTimeout(resolve, 1000))
    quiet = cpuMsOf(pid) - before < restsAtMs ? quiet + 1 : 0
  }
  console.log(`${quiet < 3 ? 'Not at rest' : 'At rest'} after ${((performance.now() - began) / 1000).toFixed(0)} s`)
}
