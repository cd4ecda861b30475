export { BudgetRescue } from './budget-rescue.tsx'
export { rescueQueries } from './queries.ts'
export { raiseText } from './texts.ts'
