export { budgetDays } from '../budget-use.ts'
