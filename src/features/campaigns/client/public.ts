export { AccountNeeds } from './detail/needs-now.tsx'
