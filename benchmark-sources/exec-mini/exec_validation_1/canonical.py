def password_policy_failures(password, username=""):
    """Names of the broken rules in a fixed order; an empty list means the password is fine."""

    def mentions(text, name):
        return name.lower() in text.lower()

    problems = []
    if len(password) < 10:
        problems.append("short")
    if len(password) > 64:
        problems.append("long")
    if not any(ch.isdigit() for ch in password):
        problems.append("digit")
    if password.lower() == password:
        problems.append("upper")
    if username and mentions(password, username):
        problems.append("username")
    return problems
