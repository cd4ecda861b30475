export { raiseBudgetToday } from './rescue.ts'
