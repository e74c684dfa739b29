/** Of each kind of question, until Node has compiled what every one runs through. */
export const warmUp = 2000;
/** What the same takes before that is told as well, after so many of a kind. */
export const early = 160;
