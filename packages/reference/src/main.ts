import { followColourScheme } from './colour-scheme.ts'
import { showReference } from './reference.ts'
import { offerSignIn } from './sign-in.ts'

followColourScheme()
offerSignIn(showReference())
