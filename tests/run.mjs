// Runs the whole suite, from a fresh clone too: installs the packages, starts a PostgreSQL server, and ends with
// "N passed, N failed". With --quick it skips whatever needs a database or a browser. Runs on Node 20.19 or newer.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { databaseTests } from './support/database-tests.mjs'
import { findChromium } from './support/find-chromium.mjs'
import { startPostgres } from './support/postgres-server.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const quick = process.argv.includes('--quick')
const say = text => process.stdout.write(`${text}\n`)
const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
  NODE_COMPILE_CACHE: join(root, '.cache/node'),
  // A failed test is retried once, because a busy machine may be late.
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

// With `parallel` the output of the command is printed when it ends, so that it does not mix with another one's.
const run = (command, args, { env: more, parallel = false } = {}) =>
  new Promise(resolve => {
    const stdio = parallel ? 'pipe' : 'inherit'
    const child = spawn(command, args, { cwd: root, env: { ...env, ...more }, stdio: ['ignore', stdio, stdio] })
    const chunks = []
    child.stdout?.on('data', part => chunks.push(part))
    child.stderr?.on('data', part => chunks.push(part))
    child.once('error', () => resolve({ code: 1, output: '' }))
    child.once('close', code => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  })

const install = async () => {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const stamp = join(root, 'node_modules/.lock-hash')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  say('Installing what is missing …')
  // Not npm ci: it rejects a lock file without other platforms' optional packages, and some registries do not carry those.
  const { code } = await run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error'])
  if (code) await fail('npm install failed.')
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
  if (!options.parallel) say(head)
  const began = Date.now()
  const { code, output } = await run(command, args, options)
  if (options.parallel) say(`${head}\n${output}`)
  results.push({ name, passed: code === 0, seconds: ((Date.now() - began) / 1000).toFixed(1) })
}

process.on('SIGINT', () => void finish(130))
process.on('SIGTERM', () => void finish(143))

await install()
const source = async () => {
  const parallel = { parallel: true }
  await step('Format', 'biome', ['format', '--reporter=summary', '.'], parallel)
  await step('Lint and types', 'oxlint', ['--type-aware', '--type-check', '--quiet'], parallel)
}
// The JSON reports allow the failures to be listed again at the end of the output.
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
// The tests wait a third of their time, so lint and types run at the same time.
await Promise.all([
  source(),
  step(unit, 'vitest', vitest('unit.json'), { env: quick ? { QUICK: '1' } : { EMBEDDED_STEP: '1' } }),
])
if (!quick) {
  const url = await postgres()
  const statements = mkdtempSync(join(tmpdir(), 'tideline-statements-'))
  await step(
    'Integration tests, PostgreSQL',
    'vitest',
    [...vitest('postgres.json'), '--project', 'node', ...databaseTests(root)],
    {
      env: { TEST_DATABASE_URL: url, STATEMENTS_FOLDER: statements },
    },
  )
  await step('Statements, as sent', 'node', ['tests/statements/check.ts', statements], {
    env: { TEST_DATABASE_URL: url },
  })
  rmSync(statements, { recursive: true })
  const { CITUS_URL: cluster } = process.env
  if (cluster) {
    const notThere = [
      // These are about the schema of one server, and about how many statements it gets.
      'tests/db-types.test.ts',
      'tests/distribution.test.ts',
      'tests/answers/cached-answers.test.ts',
      // A thousand random months of bills, whose tables are on the coordinator; bills of spend on workers are in the files next to it.
      'src/features/billing/server/fee/fee-runs.test.ts',
    ]
    const files = databaseTests(root).filter(path => !notThere.some(name => path.endsWith(name)))
    const onCluster = [...vitest('cluster.json'), '--project', 'node', ...files]
    await step('Integration tests, cluster', 'vitest', onCluster, { env: { TEST_DATABASE_URL: cluster } })
  }
  const browser = await findChromium().catch(error => fail(error.message))
  await step('Build of the client', 'vite', ['build', '--logLevel', 'warn'])
  const server = ['--config', 'src/build/server-config.ts']
  await step('Build of the server', 'vite', ['build', '--logLevel', 'warn', ...server])
  await step('Journeys', 'playwright', ['test', '--config', 'tests/journeys/playwright.config.ts'], {
    env: { CHROMIUM: browser, TEST_DATABASE_URL: url, EVERYDAY: '1' },
  })
  if (cluster) {
    const journey = ['a-new-seller-launches-a-campaign', '--project', 'phone']
    const args = ['test', '--config', 'tests/journeys/playwright.config.ts', ...journey]
    await step('A journey, cluster', 'playwright', args, { env: { CHROMIUM: browser, TEST_DATABASE_URL: cluster } })
  }
}

say('')
const reports = ['unit.json', ...(quick ? [] : ['postgres.json', ...(process.env.CITUS_URL ? ['cluster.json'] : [])])]
for (const report of reports) for (const failure of failuresIn(report)) say(`FAILED  ${failure}\n`)
for (const { name, passed, seconds } of results) say(`${passed ? 'passed' : 'FAILED'}  ${name}  (${seconds} s)`)
const failed = results.filter(r => !r.passed).length
say(`\n${results.length - failed} passed, ${failed} failed`)
await finish(failed ? 1 : 0)
