// Moves the demonstration's clock: the emulated marketplace's, which the product follows. Usage: npm run clock -- PT1H
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const fail = text => {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
const root = fileURLToPath(new URL('../..', import.meta.url))
const port = Number(process.env.PORT || 8080)
const emulator = `http://localhost:${Number(process.env.SANDBOX_PORT || port + 1)}`
const data = process.env.TIDELINE_DATA || join(root, '.data')
const [advance] = process.argv.slice(2)
if (advance !== undefined && !/^P(?=[\dT])(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$/.test(advance))
  fail(`${advance} is not a duration such as PT1H (an hour), P1D (a day) or P2W (two weeks).`)

const tokenFile = join(data, 'sandbox', 'control-token')
const token =
  process.env.SANDBOX_CONTROL_TOKEN || (existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : undefined)
if (!token) fail(`There is no demonstration in ${data}; start it with npm start, or set TIDELINE_DATA to its folder.`)

const answer = await fetch(`${emulator}/control/clock`, {
  method: advance === undefined ? 'GET' : 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  ...(advance !== undefined && { body: JSON.stringify({ advance }) }),
}).catch(() => fail(`Nothing answers at ${emulator}; start the demonstration with npm start.`))
const body = await answer.json()
if (!answer.ok) fail(body.error ?? `The emulator answered ${answer.status}.`)
const moment = new Date(body.now)
process.stdout.write(`Marketplace  ${moment.toISOString()}\n`)

// Every answer of the product says in its Date header what time it has.
const productTime = async () => {
  const reply = await fetch(`http://localhost:${port}/api/user`).catch(() => undefined)
  return reply && new Date(reply.headers.get('date') ?? 0)
}
const secondsApart = at => Math.abs(Date.now() - started + moment.getTime() - at.getTime()) / 1000
const started = Date.now()
for (let tries = 0; tries < 20; tries++) {
  const at = await productTime()
  if (!at) fail(`The product does not answer at port ${port}; set PORT to its port.`)
  if (secondsApart(at) < 5) {
    process.stdout.write(`Product      ${at.toISOString()}\n`)
    if (advance !== undefined)
      process.stdout.write('What fell due meanwhile is pulled now; open screens refresh by themselves.\n')
    process.exit(0)
  }
  await new Promise(done => setTimeout(done, 500))
}
fail('The product does not follow the marketplace’s clock; was it started with CLOCK_URL?')
