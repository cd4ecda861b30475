// The whole suite from a fresh clone: installs what it needs, brings up a PostgreSQL server of its own, ends with
// "N passed, N failed". With --quick: all that needs no database and no browser. Runs on Node 20.19 or newer.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findChromium } from './support/find-chromium.mjs'
import { startPostgres } from './support/postgres-server.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const quick = process.argv.includes('--quick')
const say = text => process.stdout.write(`${text}\n`)
const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
  NODE_COMPILE_CACHE: join(root, '.cache/node'),
  // One retry of a test that fails: the machine may be late once.
  CI: process.env.CI || '1',
}
const reportFolder = join(root, '.cache/reports')
rmSync(reportFolder, { recursive: true, force: true })
const stops = []

const fail = async sentence => {
  process.stderr.write(`${sentence}\n`)
  await finish(1)
}
const finish = async code => {
  for (const stop of stops.toReversed()) await stop()
  process.exit(code)
}

// `beside` keeps what a command says until it ends, since another one speaks meanwhile.
const run = (command, args, { env: more, beside = false } = {}) =>
  new Promise(resolve => {
    const output = beside ? 'pipe' : 'inherit'
    const child = spawn(command, args, { cwd: root, env: { ...env, ...more }, stdio: ['ignore', output, output] })
    const said = []
    child.stdout?.on('data', part => said.push(part))
    child.stderr?.on('data', part => said.push(part))
    child.once('error', () => resolve({ code: 1, said: '' }))
    child.once('close', code => resolve({ code: code ?? 1, said: Buffer.concat(said).toString() }))
  })

const install = async () => {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const stamp = join(root, 'node_modules/.lock-hash')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  say('Installing what is missing …')
  // Not npm ci: it refuses a lock file that lacks other platforms' optional packages, which some registries do not carry.
  const installed = await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error'])
  if (installed.code) await fail('npm install failed.')
  writeFileSync(stamp, hash)
}

const postgres = async () => {
  const { url, stop } = await startPostgres().catch(error => fail(error.message))
  stops.push(stop)
  return url
}

const results = []
const step = async (name, command, args, options = {}) => {
  const head = `\n── ${name}`
  if (!options.beside) say(head)
  const began = Date.now()
  const { code, said } = await run(command, args, options)
  if (options.beside) say(`${head}\n${said}`)
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
const source = async () => {
  const beside = { beside: true }
  await step('Format', 'biome', ['format', '--reporter=summary', '.'], beside)
  await step('Lint and types', 'oxlint', ['--type-aware', '--type-check', '--quiet'], beside)
}
// The JSON reports let the failures be listed again at the end, where they are found without scrolling.
const vitest = report => [
  'run',
  '--config=tests/vitest.config.ts',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${join(reportFolder, report)}`,
]
const failuresIn = report => {
  const path = join(reportFolder, report)
  if (!existsSync(path)) return [`${report}: the run ended before it could report`]
  return JSON.parse(readFileSync(path, 'utf8')).testResults.flatMap(({ name, message, assertionResults }) => {
    const failures = assertionResults.filter(({ status }) => status === 'failed')
    if (!failures.length && message) return [`${name}\n    ${message.slice(0, 500)}`]
    return failures.map(
      ({ fullName, failureMessages }) => `${name} > ${fullName}\n    ${failureMessages.join('\n').slice(0, 500)}`,
    )
  })
}
const unit = quick ? 'Tests that need no database' : 'Unit and integration tests, embedded database'
// The tests wait a third of their time; the source is read meanwhile.
await Promise.all([
  source(),
  step(unit, 'vitest', vitest('unit.json'), { env: quick ? { QUICK: '1' } : { EMBEDDED_STEP: '1' } }),
])
if (!quick) {
  const url = await postgres()
  const files = filesUsing('support/(database|services|outside|[a-z]+-scene|connected-seller)|TEST_DATABASE_URL')
  await step('Integration tests, PostgreSQL', 'vitest', [...vitest('postgres.json'), '--project', 'node', ...files], {
    env: { TEST_DATABASE_URL: url },
  })
  const browser = await findChromium().catch(error => fail(error.message))
  await step('Build', 'vite', ['build', '--logLevel', 'warn'])
  await step('Journeys', 'playwright', ['test', '--config', 'tests/journeys/playwright.config.ts'], {
    env: { CHROMIUM: browser, TEST_DATABASE_URL: url, EVERYDAY: '1' },
  })
}

say('')
for (const report of quick ? ['unit.json'] : ['unit.json', 'postgres.json'])
  for (const failure of failuresIn(report)) say(`FAILED  ${failure}\n`)
for (const { name, passed, seconds } of results) say(`${passed ? 'passed' : 'FAILED'}  ${name}  (${seconds} s)`)
const failed = results.filter(r => !r.passed).length
say(`\n${results.length - failed} passed, ${failed} failed`)
await finish(failed ? 1 : 0)
