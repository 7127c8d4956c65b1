import { holdBehaviours } from './behaviours.ts'
import { bunHost } from './hosts/bun.ts'

holdBehaviours(bunHost)
