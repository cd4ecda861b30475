export { currentRates } from './rates-sql.ts'
