import { endWithSentence } from './lifecycle.ts'
import { openServices } from './open-services.ts'

const usage = 'Usage: npm run jobs, or npm run jobs -- redrive [ID …]'
const [verb, ...ids] = process.argv.slice(2)

try {
  if (verb !== undefined && verb !== 'redrive') throw new Error(usage)
  const services = await openServices({ LOG_LEVEL: 'warn', ...process.env, JOBS: 'off' }, 'web')
  if (verb === 'redrive') console.log(`${await services.jobs.redrive(ids.length ? ids : undefined)} put back.`)
  else {
    console.table(await services.jobs.state())
    for (const dead of await services.jobs.deadLetters()) console.log(JSON.stringify(dead))
  }
  await services.close(1000)
} catch (error) {
  endWithSentence(error)
}
