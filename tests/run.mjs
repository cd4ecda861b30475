// The whole suite from a fresh clone: installs what it needs, brings up a PostgreSQL server of its own, ends with
// "N passed, N failed". With --quick: everything but PostgreSQL and the journeys. Runs on Node 20.19 or newer.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const quick = process.argv.includes('--quick')
const say = text => process.stdout.write(`${text}\n`)
const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
  NODE_COMPILE_CACHE: join(root, '.cache/node'),
}
const isRoot = process.getuid?.() === 0
const stops = []

const fail = async sentence => {
  process.stderr.write(`${sentence}\n`)
  await finish(1)
}
const finish = async code => {
  for (const stop of stops.toReversed()) await stop()
  process.exit(code)
}

const run = (command, args, options = {}) =>
  new Promise(resolve => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...env, ...options.env },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.once('error', () => resolve(1))
    child.once('exit', code => resolve(code ?? 1))
  })

const install = async () => {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const stamp = join(root, 'node_modules/.lock-hash')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  say('Installing what is missing …')
  // Not npm ci: it refuses a lock file that lacks other platforms' optional packages, which some registries do not carry.
  if (await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error'])) await fail('npm install failed.')
  writeFileSync(stamp, hash)
}

const has = command => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
const aptInstall = async packages => {
  if (!isRoot || !has('apt-get')) return
  say(`Installing ${packages.join(', ')} …`)
  const quietly = { env: { DEBIAN_FRONTEND: 'noninteractive' } }
  await run('sh', ['-c', 'apt-get update -qq >/dev/null'], quietly)
  await run(
    'sh',
    ['-c', `apt-get install -y -qq --no-install-recommends ${packages.join(' ')} >/dev/null 2>&1`],
    quietly,
  )
}

const chromium = async () => {
  const find = () =>
    process.env.CHROMIUM ||
    ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(path => existsSync(path))
  if (!find()) await aptInstall(['chromium', 'fonts-dejavu-core'])
  const path = find()
  if (!path)
    await fail('The journeys need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM to its path.')
  return path
}

const postgresBinaries = () => {
  const folder = '/usr/lib/postgresql'
  const versions = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : []
  const found = versions.map(v => join(folder, v, 'bin')).find(path => existsSync(join(path, 'initdb')))
  return found ?? (has('initdb') && has('postgres') ? '' : undefined)
}

const freePort = () =>
  new Promise(resolve => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const postgres = async () => {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL
  if (postgresBinaries() === undefined) await aptInstall(['postgresql'])
  const bin = postgresBinaries()
  if (bin === undefined)
    return fail(
      'The tests need PostgreSQL 15 or newer: install it (Debian: apt-get install postgresql) or set TEST_DATABASE_URL.',
    )
  const folder = mkdtempSync(join(tmpdir(), 'tideline-postgres-'))
  const port = await freePort()
  // initdb refuses to run as root; Debian's package brings a user for it.
  const owner = isRoot
    ? Object.fromEntries(
        ['uid', 'gid'].map(k => [k, Number(spawnSync('id', [k === 'uid' ? '-u' : '-g', 'postgres']).stdout)]),
      )
    : {}
  if (isRoot) spawnSync('chown', ['postgres', folder])
  chmodSync(folder, 0o700)
  const options = { cwd: '/', ...owner, stdio: 'ignore' }
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    options,
  )
  if (made.status !== 0) return fail('initdb failed.')
  const settings = [
    '-c',
    `port=${port}`,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `unix_socket_directories=${folder}`,
    '-c',
    'fsync=off',
    '-c',
    'max_connections=200',
  ]
  const server = spawn(join(bin, 'postgres'), ['-D', folder, ...settings], options)
  const ended = new Promise(resolve => server.once('exit', resolve))
  stops.push(async () => {
    server.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  for (let i = 0; i < 100; i++) {
    if (spawnSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).status === 0)
      return `postgres://postgres@127.0.0.1:${port}/postgres`
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return fail('The PostgreSQL server for the tests did not start.')
}

const results = []
const step = async (name, command, args, options) => {
  say(`\n── ${name}`)
  const began = Date.now()
  const code = await run(command, args, options)
  results.push({ name, passed: code === 0, seconds: ((Date.now() - began) / 1000).toFixed(1) })
}

const filesUsing = text => {
  const found = spawnSync('grep', ['-rlE', text, 'src', 'tests', '--include=*.test.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  return found.stdout.split('\n').filter(Boolean)
}

process.on('SIGINT', () => void finish(130))
process.on('SIGTERM', () => void finish(143))

await install()
await step('Format', 'biome', ['format', '--reporter=summary', '.'])
await step('Lint', 'oxlint', ['--type-aware', '--quiet'])
for (const [name, project] of [
  ['shared', 'src/shared'],
  ['client', 'src/client'],
  ['worker', 'src/client/worker'],
  ['build', 'src/client/build'],
  ['server', 'src/server'],
  ['tests', 'tests'],
])
  await step(`Types: ${name}`, 'tsc', ['-p', project])
await step('Unit and integration tests, embedded database', 'vitest', ['run', '--config', 'tests/vitest.config.ts'])
if (!quick) {
  const url = await postgres()
  const files = filesUsing('support/(database|services|world)')
  await step(
    'Integration tests, PostgreSQL',
    'vitest',
    ['run', '--config', 'tests/vitest.config.ts', '--project', 'node', ...files],
    { env: { TEST_DATABASE_URL: url } },
  )
  const browser = await chromium()
  await step('Build', 'vite', ['build', '--logLevel', 'warn'])
  await step('Journeys', 'playwright', ['test', '--config', 'tests/journeys/playwright.config.ts'], {
    env: { CHROMIUM: browser, TEST_DATABASE_URL: url },
  })
}

say('')
for (const { name, passed, seconds } of results) say(`${passed ? 'passed' : 'FAILED'}  ${name}  (${seconds} s)`)
const failed = results.filter(r => !r.passed).length
say(`\n${results.length - failed} passed, ${failed} failed`)
await finish(failed ? 1 : 0)
