import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createControl, type Sandbox } from '#sandbox/start-sandbox.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where the emulators of the tests share their histories. */
export const histories = join(root, '.cache/histories')

export interface Running {
  url: string
  pid: number
  /** Ends the process as a crash or the system would: no chance to tidy up. */
  kill(): Promise<void>
  stop(): Promise<void>
}

// Below the range of ephemeral ports, so that no other process gets one of these meanwhile.
const [lowest, highest] = [15_000, 32_000]

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** Starts a program as a process of its own; resolves when it says that it is ready. */
export function launch(
  [file, ...options]: [file: string, ...options: string[]],
  env: Record<string, string>,
  url: string,
  onOutput?: (printed: string) => void,
): Promise<Running> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...options], {
      cwd: root,
      env: { ...process.env, NODE_COMPILE_CACHE: join(root, '.cache/node'), ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let output = ''
    const keep = (chunk: Buffer) => {
      output = (output + String(chunk)).slice(-20_000)
      onOutput?.(output)
      if (output.includes('{"ready":true')) resolve(running)
    }
    const ended = new Promise<void>(done => child.once('exit', () => done()))
    const running: Running = {
      url,
      pid: child.pid ?? 0,
      kill: () => end(child, ended, 'SIGKILL'),
      stop: () => end(child, ended, 'SIGTERM'),
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.on('message', message => (message as { ready?: boolean }).ready && resolve(running))
    void ended.then(() => reject(new Error(`${file} ended before it was ready:\n${output}`)))
  })
}

async function end(child: ChildProcess, ended: Promise<void>, signal: 'SIGKILL' | 'SIGTERM') {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal)
  await ended
}

export interface Processes {
  product: Running
  sandbox: Running & { smtpPort: number } & Pick<Sandbox, 'control' | 'controlToken'>
  /**
   * Starts the product again on the same data, after it was stopped or killed; `onOutput` is called with what it has
   * written so far.
   */
  restartProduct(onOutput?: (printed: string) => void): Promise<void>
  /** Starts a worker with the product's settings; who starts it stops it. */
  startWorker(): Promise<Running>
  /** Gives or takes a role by the operator's command; the product is off meanwhile. */
  changeRole(verb: 'promote' | 'demote', email: string, role: string): Promise<void>
  stop(): Promise<void>
}

/** The product and the outside world as processes of their own, with data that nobody else sees. */
export async function startProcesses({
  // Journeys need the built client anyway.
  built = Boolean(process.env.BUILT),
  ...options
}: {
  scenario?: string
  /** Moving the emulator's clock moves the product's, as in the demonstration. */
  followsClock?: boolean
  databaseUrl?: string
  env?: Record<string, string>
  built?: boolean
} = {}): Promise<Processes> {
  const serverProgram = built ? 'dist/server/server.js' : 'src/main/server.ts'
  const data = await mkdtemp(join(tmpdir(), 'tideline-journey-'))
  const [port, sandboxPort, smtpPort] = await Promise.all([freePort(), freePort(), freePort()])
  const controlToken = 'the-token-of-the-journeys'
  const sandboxUrl = `http://localhost:${sandboxPort}`
  const url = `http://localhost:${port}`
  const sandbox = await launch(
    ['src/sandbox/start.ts', '--json'],
    {
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(smtpPort),
      SANDBOX_PUBLIC_URL: sandboxUrl,
      SANDBOX_SCENARIO: options.scenario ?? 'small',
      SANDBOX_DATA: join(data, 'sandbox'),
      SANDBOX_HISTORIES: histories,
      SANDBOX_CONTROL_TOKEN: controlToken,
    },
    sandboxUrl,
  )
  const controlSandbox = createControl(sandboxUrl, controlToken)
  await deliverPaymentEvents(controlSandbox, url)
  const env = {
    ...outsideWorld(sandboxUrl, smtpPort),
    PORT: String(port),
    PUBLIC_URL: url,
    TIDELINE_DATA: join(data, 'product'),
    ...(options.followsClock && { CLOCK_URL: `${sandboxUrl}/healthz` }),
    ...(options.databaseUrl && { DATABASE_URL: options.databaseUrl }),
    ...options.env,
  }
  const product = await launch([serverProgram], env, url).catch(async (error: unknown) => {
    await sandbox.stop()
    throw error
  })
  const processes: Processes = {
    product,
    sandbox: { ...sandbox, smtpPort, controlToken, control: controlSandbox },
    restartProduct: async onOutput => {
      processes.product = await launch([serverProgram], env, url, onOutput)
    },
    startWorker: () => launch(['src/main/worker.ts'], env, ''),
    changeRole: async (verb, email, role) => {
      // Nobody else may have the embedded database open.
      await processes.product.stop()
      await promisify(execFile)(process.execPath, ['src/main/user.ts', verb, email, role], {
        env: { ...process.env, ...env },
      })
      await processes.restartProduct()
    },
    stop: async () => {
      await processes.product.stop()
      await sandbox.stop()
      await rm(data, { recursive: true, force: true })
    },
  }
  return processes
}

const webhookSecret = 'whsec_of_the_tests'

/** Lets the emulated payment provider send its events to the product at `url`, signed with the secret of `outsideWorld`. */
export async function deliverPaymentEvents(control: Sandbox['control'], url: string): Promise<void> {
  const endpoint = { url: `${url}/api/billing/webhook`, secret: webhookSecret }
  const answer = await control('POST', 'stripe/endpoints', endpoint)
  if (!answer.ok) throw new Error(await answer.text())
}

/** The product's settings for an outside world at this address. */
export function outsideWorld(sandboxUrl: string, smtpPort: number): Record<string, string> {
  return {
    LWA_AUTHORIZE_URL_NA: `${sandboxUrl}/lwa/ap/oa`,
    LWA_AUTHORIZE_URL_EU: `${sandboxUrl}/lwa/ap/oa`,
    LWA_AUTHORIZE_URL_FE: `${sandboxUrl}/lwa/ap/oa`,
    LWA_TOKEN_URL: `${sandboxUrl}/lwa/auth/o2/token`,
    ADS_CLIENT_ID: 'amzn1.application-oa2-client.demo',
    ADS_CLIENT_SECRET: 'amzn1.oa2-cs.v1.demo',
    ADS_URL_NA: `${sandboxUrl}/ads/na`,
    ADS_URL_EU: `${sandboxUrl}/ads/eu`,
    ADS_URL_FE: `${sandboxUrl}/ads/fe`,
    ADS_STREAM_QUEUE_URL: `${sandboxUrl}/sqs`,
    ADS_STREAM_DESTINATION_ARN: 'arn:aws:sqs:us-east-1:000000000000:tideline',
    SP_APPLICATION_ID: 'amzn1.sellerapps.app.demo',
    SP_CLIENT_ID: 'amzn1.application-oa2-client.demo',
    SP_CLIENT_SECRET: 'amzn1.oa2-cs.v1.demo',
    SP_URL_NA: `${sandboxUrl}/sp/na`,
    SP_URL_EU: `${sandboxUrl}/sp/eu`,
    SP_URL_FE: `${sandboxUrl}/sp/fe`,
    SELLER_CENTRAL_URL: `${sandboxUrl}/sellercentral`,
    SMTP_URL: `smtp://localhost:${smtpPort}`,
    IMAGE_HOSTS: sandboxUrl,
    PUSH_HOSTS: sandboxUrl,
    ECB_URL: `${sandboxUrl}/ecb`,
    STRIPE_SECRET_KEY: 'sk_test_sandbox',
    STRIPE_URL: sandboxUrl,
    STRIPE_WEBHOOK_SECRETS: webhookSecret,
  }
}
