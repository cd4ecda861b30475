import { endWithSentence, onStop } from './lifecycle.ts'
import { openServices } from './open-services.ts'

try {
  const services = await openServices(process.env, 'worker')
  onStop(services.log, () => services.close(10_000))
  await services.jobs.work(services)
  services.log.info('working')
  process.send?.({ ready: true })
} catch (error) {
  endWithSentence(error)
}
