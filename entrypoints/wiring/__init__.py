"""
Who is given what, a part at a time. Each part builds on the one before it:

    Ground       settings, the machine, who may do what
    Engines      what is kept, and where
    Facts        the log, read and written as facts
    ReadModels   what the log is folded into
    Reading      what answers are read from, now and of the past
    Renewal      read models anew, proven, and swept
    EventsOut    what other systems are told
    UseCaseParts what may be asked of the store, and `use_cases`: the record of it
    Reactions    what the store does by itself
    Interfaces   what HTTP, gRPC and GraphQL are given
    Container    all of it (`entrypoints.container`)
"""
