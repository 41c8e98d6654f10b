/** A page without a person, which Next renders once, during the build. */
const Terms = () => <h1>Terms</h1>

export default Terms
