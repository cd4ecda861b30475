import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aptInstall, has, isRoot } from './apt-install.mjs'

/**
 * A PostgreSQL server for tests: that of TEST_DATABASE_URL, else one of its own. Rejects with one sentence when there can
 * be none.
 */
export const startPostgres = async () => {
  const existing = process.env.TEST_DATABASE_URL
  return existing ? { url: existing, stop: async () => undefined } : startOwnPostgres()
}

/**
 * A PostgreSQL server of the caller's own from the machine's binaries (installed where that is allowed), in a folder that
 * `stop` removes. `crash` ends it as `pg_ctl stop -m immediate` does, or by another signal; `start` brings it up again without
 * waiting.
 */
export const startOwnPostgres = async more => {
  const bin = await binaries()
  const folder = mkdtempSync(join(tmpdir(), 'tideline-postgres-'))
  const port = await freePort()
  if (isRoot) spawnSync('chown', ['postgres', folder])
  chmodSync(folder, 0o700)
  const options = { cwd: '/', ...owner(), stdio: 'ignore' }
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    options,
  )
  if (made.status !== 0) throw new Error('initdb failed.')
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    max_connections: 200,
    ...more,
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let server
  let ended
  const start = () => {
    server = spawn(join(bin, 'postgres'), ['-D', folder, ...args], options)
    ended = new Promise(resolve => server.once('exit', resolve))
  }
  const end = async signal => {
    server.kill(signal)
    await ended
  }
  const stop = async () => {
    await end('SIGINT')
    rmSync(folder, { recursive: true, force: true })
  }
  start()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  if (await answers(join(bin, 'pg_isready'), port))
    return { url, stop, start, crash: signal => end(signal ?? 'SIGQUIT') }
  await stop()
  throw new Error('The PostgreSQL server for the tests did not start.')
}

const binaries = async () => {
  if (find() === undefined) await aptInstall(['postgresql'])
  const bin = find()
  if (bin === undefined)
    throw new Error(
      'The tests need PostgreSQL 15 or newer: install it (Debian: apt-get install postgresql) or set TEST_DATABASE_URL.',
    )
  return bin
}

const find = () => {
  const folder = '/usr/lib/postgresql'
  const versions = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : []
  const found = versions.map(v => join(folder, v, 'bin')).find(path => existsSync(join(path, 'initdb')))
  return found ?? (has('initdb') && has('postgres') ? '' : undefined)
}

// initdb refuses to run as root; Debian's package brings a user for it.
const owner = () =>
  isRoot
    ? {
        uid: Number(spawnSync('id', ['-u', 'postgres']).stdout),
        gid: Number(spawnSync('id', ['-g', 'postgres']).stdout),
      }
    : {}

const freePort = () =>
  new Promise(resolve => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const answers = async (isReady, port) => {
  for (let i = 0; i < 100; i++) {
    if (spawnSync(isReady, ['-h', '127.0.0.1', '-p', String(port)]).status === 0) return true
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return false
}
