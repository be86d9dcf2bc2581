// nothing here
module { // "open
}
