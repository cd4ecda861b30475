import { payOut } from '#features/affiliate/server/commissions.ts'
import { currencyDigits } from '#shared/money.ts'
import { endWithSentence } from './lifecycle.ts'
import { openServices } from './open-services.ts'

const usage = 'Usage: npm run affiliates -- pay EMAIL'
const [verb, email] = process.argv.slice(2)

try {
  if (verb !== 'pay' || !email) throw new Error(usage)
  const services = await openServices({ LOG_LEVEL: 'warn', ...process.env, JOBS: 'off' }, 'web')
  const payouts = await payOut(services, email)
  await services.close(1000)
  if (!payouts.length) console.log(`Nothing is payable to ${email}.`)
  for (const { currency, amount, commissions } of payouts)
    console.log(
      `Transfer ${(amount / 10 ** currencyDigits(currency)).toFixed(currencyDigits(currency))} ${currency} to ${email}: ${commissions} commissions, now marked as paid out.`,
    )
} catch (error) {
  endWithSentence(error)
}
