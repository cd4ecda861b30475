import { demoteUser, promoteUser } from '#features/auth/server/public.ts'
import { endWithSentence } from './lifecycle.ts'
import { openServices } from './open-services.ts'

const usage = 'Usage: npm run user -- promote EMAIL ROLE, or npm run user -- demote EMAIL ROLE'
const [verb, email, role] = process.argv.slice(2)

try {
  if ((verb !== 'promote' && verb !== 'demote') || !email || !role) throw new Error(usage)
  const services = await openServices({ LOG_LEVEL: 'warn', ...process.env, JOBS: 'off' }, 'web')
  await (verb === 'promote' ? promoteUser : demoteUser)(services, email, role)
  await services.close(1000)
  console.log(`${email} ${verb === 'promote' ? 'now has' : 'no longer has'} the role ${role}.`)
} catch (error) {
  endWithSentence(error)
}
